/* A host of the plug-in, as Sokoban programs for Windows are: loads the DLL, calls everything it exports, and checks
 * return codes, buffers, status, threads, times and what is left behind. It replays every solution by rules of its own.
 *
 *   host.exe PLUGIN.DLL LEVELS.xsb CALLS
 *   host.exe PLUGIN.DLL die         starts a search and dies in the middle of it
 *
 * The folder of the DLL must hold lurd.exe. APPDATA must name a folder that belongs to the test: settings are written there. */

#include <windows.h>
#include <psapi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tlhelp32.h>

#pragma pack(push, 1)
typedef struct {
    uint32_t size, flags;
    int64_t moves, pushes, states;
    char text[256];
    uint32_t milliseconds;
} Status;
#pragma pack(pop)

typedef int(__stdcall *Callback)(void);
typedef void(__stdcall *WindowFunction)(HWND);
typedef void(__stdcall *GetConstraintsFunction)(uint32_t *, uint32_t *, uint32_t *);
typedef void(__stdcall *GetPluginNameFunction)(char *, uint32_t);
typedef int(__stdcall *WorkFunction)(uint32_t, uint32_t, char *, char *, uint32_t, Status *, Callback);
typedef int(__stdcall *SolveFunction)(uint32_t, uint32_t, char **, char *, uint32_t);
typedef int(__stdcall *IsSupportedFunction)(uint32_t);
typedef int(__stdcall *TerminateFunction)(void);

enum { SUCCESS, CONSTRAINTS, INVALID, UNSOLVABLE, GAVE_UP, TOO_LONG, SETTINGS, FAILURE, TIMEOUT, STOPPED };
enum { SIDE = 64, GAME = 65536, WANTED_LEVELS = 20, MOST_LEVELS = 64 };

static struct {
    WindowFunction Configure, ShowAbout;
    GetConstraintsFunction GetConstraints;
    GetPluginNameFunction GetPluginName;
    WorkFunction SolveEx, Optimize;
    SolveFunction Solve;
    IsSupportedFunction IsSupportedOptimization;
    TerminateFunction Terminate;
} plugin;

typedef struct {
    int width, height, pushes, moves;
    char squares[SIDE * SIDE + 1];
} Level;

static int failures;
static const char *chapter = "";

static void begin(const char *name) {
    chapter = name;
    printf("%s\n", name);
    fflush(stdout);
}

static void check(int holds, const char *what, int number) {
    if (!holds) {
        printf("FAILED in \"%s\": %s (%d)\n", chapter, what, number);
        fflush(stdout);
        failures++;
    }
}

#define CHECK(condition) check((condition), #condition, __LINE__)

/* ---- levels ---- */

static Level levels[MOST_LEVELS];
static int level_count;

static void level_of(Level *level, const char *const *rows, int height) {
    memset(level, 0, sizeof *level);
    level->height = height;
    for (int y = 0; y < height; y++)
        if ((int)strlen(rows[y]) > level->width) level->width = (int)strlen(rows[y]);
    memset(level->squares, ' ', (size_t)(level->width * height));
    for (int y = 0; y < height; y++) memcpy(level->squares + y * level->width, rows[y], strlen(rows[y]));
}

static void read_levels(const char *path) {
    static char lines[SIDE][256];
    const char *rows[SIDE];
    char line[1024];
    int height = 0;
    FILE *file = fopen(path, "rb");
    if (!file) {
        printf("cannot read %s\n", path);
        exit(2);
    }
    while (fgets(line, sizeof line, file) && level_count < MOST_LEVELS) {
        line[strcspn(line, "\r\n")] = 0;
        if (line[strspn(line, " ")] == '#' && height < SIDE && strlen(line) < SIDE) {
            strcpy(lines[height], line);
            rows[height] = lines[height];
            height++;
            continue;
        }
        if (height > 0) level_of(&levels[level_count++], rows, height);
        height = 0;
        if (level_count > 0) {
            sscanf(line, "Pushes: %d", &levels[level_count - 1].pushes);
            sscanf(line, "Moves: %d", &levels[level_count - 1].moves);
        }
    }
    fclose(file);
}

/* Replays moves by the rules; true if they are legal and solve the level. */
static int solves(const Level *level, const char *game, int *pushes, int *moves) {
    char board[SIDE * SIDE + 1];
    int at = -1, count = level->width * level->height;
    memcpy(board, level->squares, sizeof board);
    for (int i = 0; i < count; i++)
        if (board[i] == '@' || board[i] == '+') {
            at = i;
            board[i] = board[i] == '+' ? '.' : ' ';
        }
    *pushes = *moves = 0;
    for (; *game; game++) {
        int step, target;
        switch (*game | 32) {
        case 'l': step = -1; break;
        case 'r': step = 1; break;
        case 'u': step = -level->width; break;
        case 'd': step = level->width; break;
        default: return 0;
        }
        target = at + step;
        if (board[target] == '#') return 0;
        if (board[target] == '$' || board[target] == '*') {
            int behind = target + step;
            if (*game & 32) return 0;
            if (board[behind] == '#' || board[behind] == '$' || board[behind] == '*') return 0;
            board[behind] = board[behind] == '.' ? '*' : '$';
            board[target] = board[target] == '*' ? '.' : ' ';
            ++*pushes;
        } else if (!(*game & 32)) {
            return 0;
        }
        at = target;
        ++*moves;
    }
    for (int i = 0; i < count; i++)
        if (board[i] == '$') return 0;
    return 1;
}

/* ---- calls ---- */

static Status status;
static char buffer[GAME];
static DWORD calling_thread;
static int callbacks, wrong_threads, stop_at, kill_at, die_at;
static double stop_time;

static double now(void) {
    LARGE_INTEGER ticks, rate;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&rate);
    return (double)ticks.QuadPart / (double)rate.QuadPart;
}

/* How many processes lurd.exe there are that this process started, or that anybody did; ends them if asked. */
static int solvers(int own, int end) {
    PROCESSENTRY32 entry = {.dwSize = sizeof entry};
    HANDLE snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
    int found = 0;
    for (BOOL more = Process32First(snapshot, &entry); more; more = Process32Next(snapshot, &entry)) {
        if (_stricmp(entry.szExeFile, "lurd.exe") != 0) continue;
        if (own && entry.th32ParentProcessID != GetCurrentProcessId()) continue;
        found++;
        if (end) {
            HANDLE process = OpenProcess(PROCESS_TERMINATE, FALSE, entry.th32ProcessID);
            TerminateProcess(process, 1);
            CloseHandle(process);
        }
    }
    CloseHandle(snapshot);
    return found;
}

static int __stdcall callback(void) {
    callbacks++;
    if (GetCurrentThreadId() != calling_thread) wrong_threads++;
    if (callbacks == kill_at) solvers(1, 1);
    if (callbacks == die_at) TerminateProcess(GetCurrentProcess(), 9);
    if (stop_at && callbacks >= stop_at) {
        stop_time = now();
        return 1;
    }
    return 0;
}

static void prepare(uint32_t flags) {
    memset(&status, 0, sizeof status);
    status.size = sizeof status;
    status.flags = flags;
    calling_thread = GetCurrentThreadId();
    callbacks = wrong_threads = 0;
}

static int solve(const Level *level, uint32_t flags, uint32_t size) {
    Level copy = *level;
    prepare(flags);
    memset(buffer, '!', sizeof buffer);
    int code = plugin.SolveEx((uint32_t)copy.width, (uint32_t)copy.height, copy.squares, buffer, size, &status, callback);
    if (code != SUCCESS) printf("  %d: %s\n", code, status.text);
    return code;
}

static int optimize(const Level *level, const char *games, size_t bytes, uint32_t flags, uint32_t size) {
    Level copy = *level;
    prepare(flags);
    memset(buffer, 0, sizeof buffer);
    memcpy(buffer, games, bytes);
    int code = plugin.Optimize((uint32_t)copy.width, (uint32_t)copy.height, copy.squares, buffer, size, &status, callback);
    printf("  %d: %s\n", code, status.text);
    return code;
}

/* ---- settings ---- */

static char settings_path[MAX_PATH];

static void set(const char *text) {
    FILE *file = fopen(settings_path, "wb");
    if (file) {
        fputs(text, file);
        fclose(file);
    }
    CHECK(file != NULL);
}

/* ---- the chapters ---- */

static const char *const HARD[] = {
    "#############", "#           #", "# $#. $. .  #", "# $...## .. #", "#  .$#+.$$ ##", "#  . $..$ # #", "##$$$. $$. ##",
    "# $..$$.$#$ #", "# # $..  .$ #", "# #.   $ $$ #", "#  ##$###.  #", "#           #", "#############",
};
static const char *const ROOM[] = {"########", "#      #", "#@ $  .#", "# $ .  #", "########"};
static const char CLUMSY[] = "urdRurrdLulldRRRulldlldRR";
static Level hard, room;

static void names_and_limits(void) {
    char name[64] = "";
    uint32_t width = 1, height = 1, boxes = 1;
    static const uint32_t yes[] = {0, 1, 2, 4, 130, 258, 68, 132}, no[] = {8, 16, 32, 64, 6, 66, 260, 2048};
    begin("names and limits");
    plugin.GetPluginName(name, sizeof name);
    CHECK(strncmp(name, "lurd ", 5) == 0);
    memset(name, '!', sizeof name);
    plugin.GetPluginName(name, 4);
    CHECK(memcmp(name, "lur\0!", 5) == 0);
    plugin.GetPluginName(name, 0);
    plugin.GetPluginName(NULL, 10);
    plugin.GetConstraints(&width, &height, &boxes);
    CHECK(width >= 100 && height >= 100 && boxes == 0);
    plugin.GetConstraints(NULL, NULL, NULL);
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) check(plugin.IsSupportedOptimization(yes[i]) != 0, "yes", (int)yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) check(plugin.IsSupportedOptimization(no[i]) == 0, "no", (int)no[i]);
}

/* Presses the default button of the plug-in's dialog. */
static DWORD WINAPI press_button(void *button) {
    for (int tries = 0; tries < 200; tries++) {
        HWND window = FindWindowA("#32770", "lurd");
        if (window) {
            PostMessageA(window, WM_COMMAND, (WPARAM)button, 0);
            return 1;
        }
        Sleep(50);
    }
    /* No window, no test: the call would wait forever. */
    printf("FAILED: no dialog appeared\n");
    fflush(stdout);
    TerminateProcess(GetCurrentProcess(), 3);
    return 0;
}

static void dialogs(void) {
    begin("dialogs");
    CHECK(GetFileAttributesA(settings_path) == INVALID_FILE_ATTRIBUTES);
    HANDLE thread = CreateThread(NULL, 0, press_button, (void *)IDNO, 0, NULL);
    plugin.Configure(NULL);
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
    CHECK(GetFileAttributesA(settings_path) != INVALID_FILE_ATTRIBUTES);
    thread = CreateThread(NULL, 0, press_button, (void *)IDOK, 0, NULL);
    plugin.ShowAbout(NULL);
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

static void solutions(void) {
    int pushes, moves;
    begin("solutions");
    CHECK(level_count >= WANTED_LEVELS);
    for (int i = 0; i < WANTED_LEVELS; i++) {
        check(solve(&levels[i], 0, GAME) == SUCCESS, "solved", i + 1);
        check(solves(&levels[i], buffer, &pushes, &moves), "replayed", i + 1);
        check(strncmp(status.text, "solved: ", 8) == 0 && (status.flags & 1) != 0, status.text, i + 1);
        check(status.states > 0 && status.milliseconds > 0, "states and time", i + 1);
        check(callbacks > 0 && wrong_threads == 0, "callbacks come from the calling thread", i + 1);
    }
    begin("the old form, without status, without callback");
    const Level *level = &levels[4];
    char rows[SIDE][SIDE + 1], *pointers[SIDE];
    for (int y = 0; y < level->height; y++) {
        memcpy(rows[y], level->squares + y * level->width, (size_t)level->width);
        rows[y][level->width] = 0;
        while (rows[y][0] && rows[y][strlen(rows[y]) - 1] == ' ') rows[y][strlen(rows[y]) - 1] = 0;
        pointers[y] = rows[y];
    }
    memset(buffer, 0, sizeof buffer);
    CHECK(plugin.Solve((uint32_t)level->width, (uint32_t)level->height, pointers, buffer, GAME) == SUCCESS);
    CHECK(solves(level, buffer, &pushes, &moves));
    Level copy = *level;
    CHECK(plugin.SolveEx((uint32_t)copy.width, (uint32_t)copy.height, copy.squares, buffer, GAME, NULL, NULL) == SUCCESS);
    begin("selected squares and a status that is too small");
    for (int i = 0; i < copy.width * copy.height; i += 2) copy.squares[i] |= (char)0x80;
    prepare(0);
    status.size = 32;
    CHECK(plugin.SolveEx((uint32_t)copy.width, (uint32_t)copy.height, copy.squares, buffer, GAME, &status, callback) == SUCCESS);
    CHECK(solves(level, buffer, &pushes, &moves) && status.text[0] == 0);
}

static void optimal_solutions(void) {
    static const uint32_t by_pushes[] = {4, 5, 68, 132}, by_moves[] = {2, 3, 130, 258};
    int pushes, moves;
    begin("fewest pushes, fewest moves, both layouts of the second goal");
    for (int i = 0; i < 4; i++) {
        const Level *level = &levels[12 + i];
        check(solve(level, by_pushes[i], GAME) == SUCCESS && solves(level, buffer, &pushes, &moves), "by pushes", i);
        check(pushes == level->pushes && (status.flags & 4) != 0, status.text, pushes);
        check(solve(level, by_moves[i], GAME) == SUCCESS && solves(level, buffer, &pushes, &moves), "by moves", i);
        check(moves == level->moves && (status.flags & 2) != 0, status.text, moves);
    }
}

static void optimizer(void) {
    static const char nonsense[] = "rrrrrr\0", illegal[] = "LLLL\0", other[] = "xyz\0";
    static const char two[] = "urdRurrdLulldRRRulldlldRR\0urdRurrdLulldRRRulldlldRR\0";
    char best[256];
    int pushes, moves, pushes_before, moves_before;
    begin("optimizer");
    CHECK(solves(&room, CLUMSY, &pushes_before, &moves_before));
    CHECK(optimize(&room, CLUMSY, sizeof CLUMSY, 4, GAME) == SUCCESS);
    CHECK(solves(&room, buffer, &pushes, &moves) && pushes < pushes_before);
    CHECK(buffer[strlen(buffer) + 1] == 0);
    snprintf(best, sizeof best, "%s", buffer);
    CHECK(optimize(&room, best, strlen(best) + 1, 132, GAME) == GAVE_UP);
    CHECK(strcmp(best, buffer) == 0);
    CHECK(optimize(&room, CLUMSY, sizeof CLUMSY, 2, GAME) == SUCCESS);
    CHECK(solves(&room, buffer, &pushes, &moves) && moves < moves_before);
    CHECK(optimize(&room, two, sizeof two, 0, GAME) == SUCCESS && status.flags == 5);
    CHECK(optimize(&room, CLUMSY, sizeof CLUMSY, 8, GAME) == GAVE_UP);
    CHECK(optimize(&room, nonsense, sizeof nonsense, 4, GAME) == INVALID);
    CHECK(optimize(&room, illegal, sizeof illegal, 4, GAME) == INVALID);
    CHECK(optimize(&room, other, sizeof other, 4, GAME) == INVALID);
    CHECK(optimize(&room, "", 1, 4, GAME) == INVALID);
    CHECK(optimize(&room, CLUMSY, sizeof CLUMSY, 4, 5) == INVALID);
}

static void bad_boards(void) {
    static const char *const no_player[] = {"#####", "# $.#", "#####"}, *const open[] = {"#####", "#@$. ", "#####"};
    static const char *const strange[] = {"#####", "#@x.#", "#####"}, *const counts[] = {"#####", "#@$ #", "#####"};
    static const char *const blank[] = {"     ", "     "}, *const dead[] = {"#####", "#@$ #", "# . #", "#####"};
    static const struct {
        const char *const *rows;
        int height, code;
    } bad[] = {{no_player, 3, INVALID}, {open, 3, INVALID},  {strange, 3, INVALID},
               {counts, 3, INVALID},    {blank, 2, INVALID}, {dead, 4, UNSOLVABLE}};
    begin("bad boards and an unsolvable one");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Level level;
        level_of(&level, bad[i].rows, bad[i].height);
        check(solve(&level, 0, GAME) == bad[i].code && status.text[0] != 0, "bad board", (int)i);
    }
    Level copy = room;
    prepare(0);
    CHECK(plugin.SolveEx(0, 3, copy.squares, buffer, GAME, &status, callback) == INVALID);
    CHECK(plugin.SolveEx(100000, 100000, copy.squares, buffer, GAME, &status, callback) == CONSTRAINTS);
    CHECK(plugin.SolveEx(5, 5, NULL, buffer, GAME, &status, callback) == INVALID);
    CHECK(plugin.Optimize(100000, 3, copy.squares, buffer, GAME, &status, callback) == CONSTRAINTS);
    CHECK(plugin.Solve(5, 5, NULL, buffer, GAME) == INVALID);
}

static void small_buffers(void) {
    int pushes, moves;
    begin("buffers that are too small");
    CHECK(solve(&room, 4, GAME) == SUCCESS && solves(&room, buffer, &pushes, &moves));
    uint32_t length = (uint32_t)strlen(buffer);
    CHECK(solve(&room, 4, length + 1) == SUCCESS && buffer[length + 1] == '!');
    CHECK(solve(&room, 4, length) == TOO_LONG && buffer[0] == '!' && buffer[length] == '!');
    CHECK(solve(&room, 4, 0) == TOO_LONG);
}

static DWORD WINAPI terminate_later(void *milliseconds) {
    Sleep((DWORD)(ULONG_PTR)milliseconds);
    stop_time = now();
    return (DWORD)plugin.Terminate();
}

static void stops(void) {
    /* On a busy machine a single stop may be late through no fault of the plug-in: the fastest of three counts. */
    double late, by_callback = 9, by_terminate = 9;
    begin("stops");
    for (int i = 1; i <= 5; i += 2) {
        stop_at = i;
        CHECK(solve(&hard, 0, GAME) == STOPPED);
        late = now() - stop_time;
        printf("  %.3f s after the callback asked\n", late);
        if (late < by_callback) by_callback = late;
        check(callbacks == i && wrong_threads == 0, "no callback after it asked", callbacks);
    }
    CHECK(status.milliseconds > 0);
    stop_at = 0;
    for (int i = 0; i < 3; i++) {
        HANDLE thread = CreateThread(NULL, 0, terminate_later, (void *)(ULONG_PTR)(100 + 300 * i), 0, NULL);
        CHECK(solve(&hard, 0, GAME) == STOPPED);
        late = now() - stop_time;
        printf("  %.3f s after Terminate\n", late);
        if (late < by_terminate) by_terminate = late;
        WaitForSingleObject(thread, INFINITE);
        CloseHandle(thread);
    }
    check(by_callback < 0.3, "a stop by the callback within 0.3 s, milliseconds", (int)(by_callback * 1000));
    check(by_terminate < 0.3, "a stop by Terminate within 0.3 s, milliseconds", (int)(by_terminate * 1000));
    CHECK(plugin.Terminate() == 0);
    CHECK(solve(&room, 0, GAME) == SUCCESS);
    stop_at = 1;
    CHECK(optimize(&room, CLUMSY, sizeof CLUMSY, 4, GAME) == SUCCESS || buffer[0] == CLUMSY[0]);
    stop_at = 0;
    CHECK(solvers(1, 0) == 0);
}

static void failing_programs(const char *dll) {
    char folder[MAX_PATH], copy[MAX_PATH], program[MAX_PATH];
    begin("a solver that is killed, missing, or no program");
    kill_at = 3;
    CHECK(solve(&hard, 0, GAME) == FAILURE && status.text[0] != 0);
    kill_at = 0;
    CHECK(solve(&room, 0, GAME) == SUCCESS);
    GetTempPathA(sizeof folder, folder);
    snprintf(copy, sizeof copy, "%slurd-alone.dll", folder);
    snprintf(program, sizeof program, "%slurd.exe", folder);
    DeleteFileA(program);
    CHECK(CopyFileA(dll, copy, FALSE));
    HMODULE alone = LoadLibraryA(copy);
    WorkFunction usual = plugin.SolveEx;
    plugin.SolveEx = (WorkFunction)(void *)GetProcAddress(alone, "SolveEx");
    CHECK(solve(&room, 0, GAME) == FAILURE && strstr(status.text, "lurd.exe") != NULL);
    FILE *file = fopen(program, "wb");
    fputs("not a program", file);
    fclose(file);
    CHECK(solve(&room, 0, GAME) == FAILURE);
    plugin.SolveEx = usual;
    FreeLibrary(alone);
    DeleteFileA(copy);
    DeleteFileA(program);
}

static void settings(void) {
    begin("settings");
    set("threads = 0\n");
    CHECK(solve(&room, 0, GAME) == SETTINGS && strstr(status.text, "line 1") != NULL);
    set("threads = 1\ntime-limit = 1\n");
    CHECK(solve(&hard, 0, GAME) == TIMEOUT);
    set("threads = 1\nmemory-limit = \"1MiB\"\n");
    CHECK(solve(&hard, 0, GAME) == GAVE_UP);
    set("goal = \"moves\"\n");
    CHECK(solve(&levels[13], 0, GAME) == SUCCESS && status.flags == 3);
    DeleteFileA(settings_path);
}

static void death(const char *own, const char *dll) {
    char line[2 * MAX_PATH + 32];
    STARTUPINFOA startup = {.cb = sizeof startup};
    PROCESS_INFORMATION process;
    DWORD code = 0;
    int left = 1;
    begin("a host that dies takes its solver with it");
    snprintf(line, sizeof line, "\"%s\" \"%s\" die", own, dll);
    CHECK(CreateProcessA(NULL, line, NULL, NULL, FALSE, 0, NULL, NULL, &startup, &process));
    WaitForSingleObject(process.hProcess, INFINITE);
    GetExitCodeProcess(process.hProcess, &code);
    CHECK(code == 9);
    for (int tries = 0; tries < 40 && left > 0; tries++) {
        Sleep(50);
        left = solvers(0, 0);
    }
    CHECK(left == 0);
    CloseHandle(process.hProcess);
    CloseHandle(process.hThread);
}

/* Handles are numbered from below: what is left behind pushes a new one up. Wine does not count a process's handles. */
static int next_handle(void) {
    HANDLE event = CreateEventA(NULL, FALSE, FALSE, NULL);
    CloseHandle(event);
    return (int)((ULONG_PTR)event / 4);
}

static void many_calls(int calls) {
    int handles[2] = {0, 0};
    PROCESS_MEMORY_COUNTERS memory[2];
    int codes = 0, pushes, moves;
    /* What is loaded once is loaded by the first calls. */
    int loaded = calls < 1000 ? calls / 5 : 100;
    double began = now();
    begin("many calls");
    for (int i = 0; i < calls; i++) {
        if (i == loaded) {
            handles[0] = next_handle();
            GetProcessMemoryInfo(GetCurrentProcess(), &memory[0], sizeof memory[0]);
        }
        const Level *level = &levels[i % WANTED_LEVELS];
        stop_at = i % 5 == 4;
        int code = solve(stop_at ? &hard : level, 0, GAME);
        codes += stop_at ? code == STOPPED : code == SUCCESS && solves(level, buffer, &pushes, &moves);
    }
    stop_at = 0;
    handles[1] = next_handle();
    GetProcessMemoryInfo(GetCurrentProcess(), &memory[1], sizeof memory[1]);
    printf("  %d calls in %.1f s; from call %d on: next handle %d -> %d, memory %lu -> %lu KiB\n", calls, now() - began, loaded, handles[0], handles[1],
           (unsigned long)(memory[0].PagefileUsage / 1024), (unsigned long)(memory[1].PagefileUsage / 1024));
    check(codes == calls, "every call has its code", codes);
    check(handles[1] < handles[0] + 10, "no handle is left behind", handles[1] - handles[0]);
    check(memory[1].PagefileUsage < memory[0].PagefileUsage + (4u << 20), "no memory is left behind", 0);
    CHECK(solvers(1, 0) == 0);
}

/* ---- the start ---- */

static FARPROC find(HMODULE library, const char *name) {
    FARPROC found = GetProcAddress(library, name);
    check(found != NULL, name, 0);
    if (!found) exit(1);
    return found;
}

#define FIND(type, name) plugin.name = (type)(void *)find(library, #name)

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 4096);
    if (count < 3) {
        printf("usage: host PLUGIN.DLL LEVELS.xsb CALLS\n");
        return 2;
    }
    HMODULE library = LoadLibraryA(arguments[1]);
    if (!library) {
        printf("cannot load %s: error %lu\n", arguments[1], GetLastError());
        return 2;
    }
    FIND(WindowFunction, Configure);
    FIND(WindowFunction, ShowAbout);
    FIND(GetConstraintsFunction, GetConstraints);
    FIND(GetPluginNameFunction, GetPluginName);
    FIND(WorkFunction, SolveEx);
    FIND(WorkFunction, Optimize);
    FIND(SolveFunction, Solve);
    FIND(IsSupportedFunction, IsSupportedOptimization);
    FIND(TerminateFunction, Terminate);
    level_of(&hard, HARD, sizeof HARD / sizeof *HARD);
    level_of(&room, ROOM, sizeof ROOM / sizeof *ROOM);
    if (strcmp(arguments[2], "die") == 0) {
        die_at = 3;
        solve(&hard, 0, GAME);
        return 1;
    }
    snprintf(settings_path, sizeof settings_path, "%s\\lurd\\plugin.toml", getenv("APPDATA"));
    read_levels(arguments[2]);
    names_and_limits();
    dialogs();
    solutions();
    optimal_solutions();
    optimizer();
    bad_boards();
    small_buffers();
    stops();
    failing_programs(arguments[1]);
    settings();
    death(arguments[0], arguments[1]);
    many_calls(count > 3 ? atoi(arguments[3]) : 1000);
    printf("%d failures\n", failures);
    return failures > 0;
}
