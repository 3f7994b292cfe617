//! Solves every level of a file: `cargo run --release -p lurd --example solve_file -- levels.xsb`.

use lurd::{Outcome, Solver};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a file of levels")?;
    let mut solver = Solver::new().time_limit(Duration::from_secs(10)).threads(2);
    for level in &lurd::load(path)? {
        let report = solver.solve(level)?;
        let title = level.title.as_deref().unwrap_or("untitled");
        match (report.outcome, report.solution) {
            (_, Some(found)) => println!("{:>3} {title}: {} pushes, {} moves", level.number, found.pushes, found.moves),
            (Outcome::Unsolvable, _) => println!("{:>3} {title}: has no solution", level.number),
            (outcome, None) => println!("{:>3} {title}: {outcome:?}", level.number),
        }
    }
    Ok(())
}
