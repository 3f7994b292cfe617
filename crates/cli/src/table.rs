//! A table for a terminal: columns as wide as their widest cell.

use std::io::{self, Write};

/// Rows of text under headings.
#[derive(Clone, Debug)]
pub struct Table {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table with these columns, `|` between them; those marked by `>` hold figures and are right-aligned.
    pub fn new(columns: &'static str) -> Self {
        Self { headings: columns.split('|').collect(), rows: Vec::new() }
    }

    /// Adds a row; it has a cell for every column.
    pub fn row(&mut self, cells: Vec<String>) {
        assert_eq!(cells.len(), self.headings.len(), "a row has a cell for every column");
        self.rows.push(cells);
    }

    /// Prints the table.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let names: Vec<String> =
            self.headings.iter().map(|heading| heading.trim_start_matches('>').to_owned()).collect();
        let lines = || std::iter::once(&names).chain(&self.rows);
        let width = |column: usize| lines().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..names.len()).map(width).collect();
        for line in lines() {
            // The padding of `format!` ends at 65,535 characters, and a cell can be longer.
            let cells = line.iter().zip(&widths).zip(&self.headings).map(|((cell, &width), heading)| {
                let blanks = " ".repeat(width - cell.chars().count());
                if heading.starts_with('>') { blanks + cell } else { cell.clone() + &blanks }
            });
            writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::printed;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new("name|>n");
        table.row(vec!["a".into(), "12".into()]);
        table.row(vec!["längst".into(), "3".into()]);
        assert_eq!(printed(|out| table.print(out)), "name     n\na       12\nlängst   3\n");
    }

    #[test]
    fn a_cell_of_any_length_is_printed() {
        let mut table = Table::new("name|>n");
        table.row(vec!["x".repeat(70_000), "1".into()]);
        assert_eq!(printed(|out| table.print(out)).lines().map(str::len).max(), Some(70_003));
    }
}
