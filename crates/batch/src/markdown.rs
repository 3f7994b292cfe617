//! A report as Markdown: tables, and boards as text.

use crate::document::{Document, Table};
use std::fmt::Write;

/// The report in Markdown. Long tables that only a page has room for are left out.
pub fn markdown(document: &Document) -> String {
    let mut text = format!("# {}\n", escape(&document.title));
    for section in document.sections.iter().filter(|section| !section.is_detail) {
        let _ = write!(text, "\n## {}\n", escape(&section.heading));
        if !section.text.is_empty() {
            let _ = write!(text, "\n{}\n", escape(&section.text));
        }
        if let Some(table) = section.table.as_ref().filter(|table| !table.rows.is_empty()) {
            text.push('\n');
            rows(&mut text, table);
        }
        for board in &section.boards {
            let _ = write!(text, "\n{}: {}\n\n```\n{}```\n", escape(&board.label), escape(&board.remark), board.map);
        }
    }
    text
}

fn rows(text: &mut String, table: &Table) {
    let columns: Vec<&str> = table.columns.split('|').collect();
    let names: Vec<&str> = columns.iter().map(|column| column.trim_start_matches('>')).collect();
    let rules: Vec<&str> = columns.iter().map(|column| if column.starts_with('>') { "---:" } else { "---" }).collect();
    let _ = writeln!(text, "| {} |\n|{}|", names.join(" | "), rules.join("|"));
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(|cell| escape(cell)).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
}

/// Text that stands for itself in a cell.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '\\' | '`' | '*' | '_' | '<' | '[' | '#' => safe.extend(['\\', c]),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_for_themselves() {
        let table = Table { columns: "a|>b", rows: vec![vec!["x|y\n*z*".into(), "1".into()]], levels: Vec::new() };
        let mut text = String::new();
        rows(&mut text, &table);
        assert_eq!(text, "| a | b |\n|---|---:|\n| x\\|y \\*z\\* | 1 |\n");
    }
}
