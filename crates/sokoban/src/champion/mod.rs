//! The champion engine: any solution, soon, on every kind of level.

mod advisors;
mod answer;
mod corral;
pub(crate) mod dense;
mod forward;
mod frozen;
mod ground;
mod hotspots;
mod lift;
mod lone;
mod macros;
mod matching;
mod perimeter;
mod pi_corral;
mod plan;
mod planning;
mod position;
mod rooms;
mod stops;
mod strategy;
mod tree;

use crate::board::Board;
use ground::Ground;
use hotspots::Hotspots;
use rooms::Rooms;
use std::sync::Arc;
use stops::Stops;

/// What all strategies on a level share and none changes.
#[derive(Debug)]
pub struct Scene {
    ground: Ground,
    rooms: Rooms,
    stops: Stops,
    hotspots: Hotspots,
}

impl Scene {
    pub(crate) fn new(board: Arc<Board>) -> Self {
        let ground = Ground::new(board);
        let rooms = Rooms::new(&ground);
        let stops = Stops::new(&ground);
        let hotspots = Hotspots::new(&ground);
        Self { ground, rooms, stops, hotspots }
    }
}

/// TRIAL
#[doc(hidden)]
pub fn trial(board: Arc<Board>, seconds: f64, options: &str) -> String {
    use forward::{Forward, Taste};
    use search::{Budget, Cancel, Limits};
    let limits = Limits { time: Some(std::time::Duration::from_secs_f64(seconds)), ..Limits::default() };
    let halt = strategy::Halt::new(Budget::new(limits, Cancel::new()));
    let t0 = std::time::Instant::now();
    let scene = Scene::new(board);
    let setup = t0.elapsed().as_secs_f64();
    let mut planning = planning::Planning::new(&scene.ground, &scene.rooms, &scene.stops, planning::Manner::default());
    let planned = planning.run(300_000, &halt);
    let plan_time = t0.elapsed().as_secs_f64() - setup;
    let pf = planning.figures();
    let Some(plan) = planning.plan() else { return "no plan".into() };
    let perimeter = perimeter::Perimeter::new(1 << 30);
    let mut searches = Vec::new();
    if !options.contains("noweight") { searches.push(Forward::new(&scene, &plan, &perimeter, Taste { weighted: true, spread_out: true })); }
    if !options.contains("nogreedy") { searches.push(Forward::new(&scene, &plan, &perimeter, Taste { weighted: false, spread_out: true })); }
    if options.contains("flip") { searches.push(Forward::new(&scene, &plan, &perimeter, Taste { weighted: true, spread_out: false })); }
    let mut result = String::from("-");
    let alone = searches.len() == 1;
    'all: while !halt.called() {
        for (number, search) in searches.iter_mut().enumerate() {
            match search.run(5_000, &halt) {
                strategy::Turn::Solved(pushes) => { result = format!("SOLVED by {number} {} pushes", pushes.len()); break 'all; }
                strategy::Turn::Spent => { if alone { result = "spent".into(); break 'all; } }
                _ => {}
            }
        }
    }
    if options.contains("show") { for s in &searches { println!("{}", s.show()); } }
    let total = t0.elapsed().as_secs_f64();
    let figs: Vec<String> = searches.iter().map(|s| format!("{}x/{}g best {}", s.figures().expanded, s.figures().generated, s.furthest())).collect();
    format!("{result} t={total:.2} setup={setup:.3} plan={planned:?} {}x {:.3}s len {} park {} | {}", pf.expanded, plan_time, plan.steps().len(), plan.parkings(), figs.join(" ; "))
}
