//! The layout of the file, as a list of steps from each version to the next.

/// Marks a file as a library: `lurd` in ASCII.
pub(crate) const APPLICATION: i64 = 0x6c75_7264;

/// The steps: the file of version n has had the first n of them. A published step never changes; a new layout is a new step.
pub(crate) const STEPS: &[&str] = &[
    // 1
    "
    -- A level by its normal form. The best figures repeat those of its solutions, so that lists need no second look.
    CREATE TABLE level (
        id INTEGER PRIMARY KEY,
        key BLOB NOT NULL UNIQUE,
        form TEXT NOT NULL,
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        boxes INTEGER NOT NULL,
        squares INTEGER NOT NULL,
        added INTEGER NOT NULL,
        best_pushes INTEGER,
        best_moves INTEGER
    ) STRICT;
    CREATE INDEX level_boxes ON level (boxes, squares);
    CREATE INDEX level_best ON level (best_pushes IS NULL, best_pushes);

    -- No solution of a front is as good as another in both counts.
    CREATE TABLE solution (
        level INTEGER NOT NULL REFERENCES level (id) ON DELETE CASCADE,
        pushes INTEGER NOT NULL,
        moves INTEGER NOT NULL,
        lurd TEXT NOT NULL,
        finder TEXT NOT NULL,
        method TEXT NOT NULL,
        found INTEGER NOT NULL,
        PRIMARY KEY (level, pushes)
    ) STRICT, WITHOUT ROWID;

    -- The highest lower bound of each count; a level proved unsolvable has the metric `none` and the value 0.
    CREATE TABLE bound (
        level INTEGER NOT NULL REFERENCES level (id) ON DELETE CASCADE,
        metric TEXT NOT NULL CHECK (metric IN ('pushes', 'moves', 'none')),
        value INTEGER NOT NULL,
        finder TEXT NOT NULL,
        method TEXT NOT NULL,
        found INTEGER NOT NULL,
        PRIMARY KEY (level, metric)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE collection (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        title TEXT,
        author TEXT,
        notes TEXT NOT NULL,
        source TEXT NOT NULL,
        added INTEGER NOT NULL
    ) STRICT;

    -- `symmetry` carries moves on the entry to moves on the normal form. `board` is the drawing where it is not the image
    -- of the normal form.
    CREATE TABLE entry (
        collection INTEGER NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        level INTEGER NOT NULL REFERENCES level (id),
        symmetry INTEGER NOT NULL,
        title TEXT,
        author TEXT,
        notes TEXT,
        board TEXT,
        PRIMARY KEY (collection, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX entry_level ON entry (level);

    CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        token TEXT NOT NULL,
        options TEXT NOT NULL,
        rungs INTEGER NOT NULL,
        version TEXT NOT NULL,
        machine TEXT NOT NULL,
        created INTEGER NOT NULL,
        ended INTEGER
    ) STRICT;

    -- What a run works on, as it was when it began.
    CREATE TABLE run_entry (
        run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
        place INTEGER NOT NULL,
        level INTEGER NOT NULL REFERENCES level (id),
        symmetry INTEGER NOT NULL,
        collection TEXT NOT NULL,
        number INTEGER NOT NULL,
        title TEXT,
        PRIMARY KEY (run, place)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX run_entry_level ON run_entry (run, level);

    -- One result for each level and rung of the ladder of limits. `record` is the JSON object of the result.
    CREATE TABLE result (
        run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
        level INTEGER NOT NULL REFERENCES level (id),
        rung INTEGER NOT NULL,
        outcome TEXT NOT NULL CHECK (outcome IN ('solved', 'unsolvable', 'open', 'failed')),
        pushes INTEGER,
        moves INTEGER,
        seconds REAL NOT NULL,
        reason TEXT,
        record TEXT NOT NULL,
        worker TEXT NOT NULL,
        ended INTEGER NOT NULL,
        PRIMARY KEY (run, level, rung)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX result_level ON result (level);
    ",
    // 2
    "
    -- What is proved of a level, so that lists and searches need no look at its bounds: 1 its fewest pushes, 2 its fewest
    -- moves, 4 that it has no solution; the sum where several are.
    ALTER TABLE level ADD COLUMN proved INTEGER NOT NULL DEFAULT 0;
    UPDATE level SET proved = coalesce((SELECT sum(CASE metric
        WHEN 'pushes' THEN value >= best_pushes WHEN 'moves' THEN 2 * (value >= best_moves) ELSE 4 END)
        FROM bound WHERE bound.level = level.id), 0);
    CREATE INDEX level_proved ON level (proved);
    DROP INDEX level_best;
    CREATE INDEX level_best ON level (best_pushes IS NULL, best_pushes, proved);

    -- How hard a level is, from 1 to 10, where its file says so.
    ALTER TABLE entry ADD COLUMN grade INTEGER;
    UPDATE entry SET grade = CAST(substr(notes, instr(notes, 'Grade:') + 6) AS INTEGER) WHERE instr(notes, 'Grade:');
    UPDATE entry SET grade = NULL WHERE grade NOT BETWEEN 1 AND 10;
    CREATE INDEX entry_grade ON entry (grade, level) WHERE grade IS NOT NULL;
    ",
];

/// The newest version this program knows.
pub(crate) fn newest() -> i64 {
    STEPS.len() as i64
}
