//! Results as CSV (RFC 4180), a line for each level.

use crate::compare::Comparison;
use crate::summary::{EntryResult, Summary};
use lurd::contract::csv_line;
use lurd_library::JobEnd;

/// A line for each entry of a run.
pub fn summary_csv(summary: &Summary) -> String {
    let columns = "collection,level,title,key,boxes,outcome,pushes,moves,best_pushes,best_moves,pushes_bound,moves_bound,seconds,rung,worker,reason";
    let lines = summary.results.iter().map(|result| {
        let (entry, last) = (&result.entry, result.entry.last());
        csv_line([
            entry.collection.clone(),
            entry.number.to_string(),
            entry.title.clone().unwrap_or_default(),
            entry.key.to_string(),
            entry.boxes.to_string(),
            end(result),
            figure(result.pushes),
            figure(result.moves),
            figure(entry.best_pushes),
            figure(entry.best_moves),
            figure(entry.pushes_bound),
            figure(entry.moves_bound),
            format!("{:.3}", result.seconds),
            figure(last.map(|last| last.rung + 1)),
            last.map(|last| last.worker.clone()).unwrap_or_default(),
            result.reason.clone().unwrap_or_default(),
        ])
    });
    std::iter::once(format!("{columns}\n")).chain(lines).collect()
}

/// A line for each level that both runs have.
pub fn comparison_csv(comparison: &Comparison<'_>) -> String {
    let columns =
        "collection,level,title,key,outcome_a,outcome_b,seconds_a,seconds_b,pushes_a,pushes_b,moves_a,moves_b";
    let lines = comparison.pairs.iter().map(|pair| {
        let entry = &pair.a.entry;
        csv_line([
            entry.collection.clone(),
            entry.number.to_string(),
            entry.title.clone().unwrap_or_default(),
            entry.key.to_string(),
            end(pair.a),
            end(pair.b),
            format!("{:.3}", pair.a.seconds),
            format!("{:.3}", pair.b.seconds),
            figure(pair.a.pushes),
            figure(pair.b.pushes),
            figure(pair.a.moves),
            figure(pair.b.moves),
        ])
    });
    std::iter::once(format!("{columns}\n")).chain(lines).collect()
}

fn end(result: &EntryResult) -> String {
    result.end.map_or("untried", JobEnd::name).to_owned()
}

fn figure(figure: Option<usize>) -> String {
    figure.map_or_else(String::new, |figure| figure.to_string())
}
