//! Watches the strategies of the portfolio while they race for a solution.
//!
//! `cargo run --release -p lurd --example watch_race [-- levels.xsb NUMBER]`

use lurd::{Level, Progress, Race, Solver, Watch};
use std::time::Duration;

const LEVEL: &str = "
############
#    #   . #
#  *       #
#     @    #
#  *   # $ #
#  .# $ **.#
# $.  $.$  #
# $*   # # #
#    #*  .##
############";

/// Prints who has done how much.
#[derive(Default)]
struct Spectator(Race);

impl Watch for Spectator {
    fn progress(&mut self, progress: &Progress) {
        println!("{:.1} s, {} positions generated", progress.seconds, progress.generated);
        for racer in &self.0.racers {
            println!("    {:<45} {:<9} {:>9} expanded", racer.name, racer.state.name(), racer.expanded);
        }
    }

    fn closely(&self) -> bool {
        true
    }

    fn raced(&mut self, race: &Race) {
        self.0 = race.clone();
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let level = match (arguments.next(), arguments.next()) {
        (Some(path), Some(number)) => {
            let number: usize = number.parse()?;
            lurd::load(path)?.into_iter().find(|level| level.number == number).ok_or("the file has no such level")?
        }
        _ => Level::parse(LEVEL)?,
    };
    let report = Solver::new().time_limit(Duration::from_secs(30)).watch(&level, &mut Spectator::default())?;
    println!("{:?}: {}", report.outcome, report.notes.join("; "));
    Ok(())
}
