//! Fits the weights of the grade to orders made by people, and tests them on levels held back.
//!
//! ```text
//! fit measure FOLDER FIGURES.csv [SECONDS]   rates the collections in FOLDER, a row a level
//! fit weigh FIGURES.csv                      prints weights, borders and the cross-validation
//! ```
//! The collections are `Microban_I.xsb`, `Microban_II.xsb`, `SokoBOT_17.xsb` and `XSokoban_90.xsb`. The first three are
//! arranged from easy to hard by their makers; every level of XSokoban counts as harder than every one of Microban.
//!
//! The model is linear and fitted to pairs (logistic loss, weights not negative, L2 penalty). A pair counts if its levels are
//! at least a tenth of the collection apart. Held-back parts are every fifth level of each collection; a second test
//! holds back whole collections.

use lurd::{Cancel, Limits};
use lurd_rate::{Effort, FEATURES, features, rate};
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const COLLECTIONS: [&str; 4] = ["Microban_I", "Microban_II", "SokoBOT_17", "XSokoban_90"];
/// Collections whose own order is used.
const ORDERED: usize = 3;
const FOLDS: usize = 5;
/// Levels nearer to each other than this share of their collection say nothing.
const APART: f64 = 0.1;
const PENALTY: f64 = 0.02;
const STEPS: usize = 1500;

#[derive(Clone, Debug)]
struct Row {
    collection: usize,
    number: usize,
    /// The place in the collection, from 0 to 1.
    place: f64,
    features: Vec<f64>,
}

fn measure(folder: &str, out: &str, seconds: u64) -> Result<(), String> {
    let mut tasks = Vec::new();
    for (index, name) in COLLECTIONS.iter().enumerate() {
        let path = format!("{folder}/{name}.xsb");
        let collection = lurd::load(&path).map_err(|error| format!("{path}: {error}"))?;
        tasks.extend(collection.levels.into_iter().map(|level| (index, level)));
    }
    let proof = Limits { time: Some(Duration::from_secs(seconds)), memory: Some(2 << 30), ..Limits::default() };
    let effort = Effort { proof, ..Effort::default() };
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((collection, level)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match rate(level, &effort, &Cancel::new(), &mut |_| ()) {
                        Ok(rating) => {
                            let mut row = format!("{},{}", COLLECTIONS[*collection], level.number);
                            for value in features(&rating) {
                                let _ = write!(row, ",{value:.5}");
                            }
                            if let Ok(mut rows) = rows.lock() {
                                rows.push((*collection, level.number, row));
                            }
                        }
                        Err(error) => eprintln!("{} {}: {error}", COLLECTIONS[*collection], level.number),
                    }
                }
            });
        }
    });
    let mut rows = rows.into_inner().map_err(|_| "a thread failed")?;
    rows.sort();
    let mut text = format!("collection,level,{}\n", FEATURES.join(","));
    rows.iter().for_each(|(_, _, row)| text += &format!("{row}\n"));
    std::fs::write(out, text).map_err(|error| format!("{out}: {error}"))
}

fn read(path: &str) -> Result<Vec<Row>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let mut rows = Vec::new();
    for (line, text) in text.lines().enumerate().skip(1) {
        let wrong = || format!("{path}: line {} is no row of figures", line + 1);
        let mut cells = text.split(',');
        let name = cells.next().ok_or_else(wrong)?;
        let collection = COLLECTIONS.iter().position(|known| *known == name).ok_or_else(wrong)?;
        let number = cells.next().and_then(|cell| cell.parse().ok()).ok_or_else(wrong)?;
        let features: Vec<f64> = cells.map(str::parse).collect::<Result<_, _>>().map_err(|_| wrong())?;
        if features.len() != FEATURES.len() {
            return Err(wrong());
        }
        rows.push(Row { collection, number, place: 0.0, features });
    }
    for collection in 0..COLLECTIONS.len() {
        let last = rows.iter().filter(|row| row.collection == collection).map(|row| row.number).max().unwrap_or(1);
        for row in rows.iter_mut().filter(|row| row.collection == collection) {
            row.place = row.number as f64 / last as f64;
        }
    }
    Ok(rows)
}

/// Weights of standardised features, with the means and deviations.
struct Model {
    weights: Vec<f64>,
    means: Vec<f64>,
    deviations: Vec<f64>,
}

impl Model {
    fn score(&self, row: &Row) -> f64 {
        (0..FEATURES.len()).map(|f| self.weights[f] * (row.features[f] - self.means[f]) / self.deviations[f]).sum()
    }

    fn fit(rows: &[&Row]) -> Self {
        let n = rows.len() as f64;
        let means: Vec<f64> =
            (0..FEATURES.len()).map(|f| rows.iter().map(|row| row.features[f]).sum::<f64>() / n).collect();
        let deviation = |f: usize| {
            let sum: f64 = rows.iter().map(|row| (row.features[f] - means[f]).powi(2)).sum();
            (sum / n).sqrt().max(1e-6)
        };
        let deviations: Vec<f64> = (0..FEATURES.len()).map(deviation).collect();
        let standard: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| (0..FEATURES.len()).map(|f| (row.features[f] - means[f]) / deviations[f]).collect())
            .collect();
        // Each pair: (harder, easier, weight). Every collection, and XSokoban against Microban, weighs the same.
        let mut pairs: Vec<(usize, usize, f64)> = Vec::new();
        let mut add = |kind: &dyn Fn(&Row, &Row) -> bool, share: f64| {
            let found: Vec<(usize, usize)> = (0..rows.len())
                .flat_map(|a| (0..rows.len()).map(move |b| (a, b)))
                .filter(|&(a, b)| kind(rows[a], rows[b]))
                .collect();
            let weight = share / found.len().max(1) as f64;
            pairs.extend(found.into_iter().map(|(a, b)| (a, b, weight)));
        };
        for (collection, name) in COLLECTIONS.iter().enumerate().take(ORDERED) {
            let share = if name.starts_with("Microban") { 1.0 } else { 0.25 };
            add(&|a, b| a.collection == collection && b.collection == collection && a.place >= b.place + APART, share);
        }
        add(&|a, b| a.collection == ORDERED && b.collection < 2, 0.5);
        let mut weights = vec![0.1; FEATURES.len()];
        for step in 0..STEPS {
            let scores: Vec<f64> = standard.iter().map(|x| x.iter().zip(&weights).map(|(x, w)| x * w).sum()).collect();
            let mut pull = vec![0.0; rows.len()];
            for &(hard, easy, weight) in &pairs {
                let error = weight / (1.0 + (scores[hard] - scores[easy]).exp());
                pull[hard] += error;
                pull[easy] -= error;
            }
            let rate = 1.0 / (1.0 + step as f64 / 300.0);
            for (f, weight) in weights.iter_mut().enumerate() {
                let gradient: f64 = standard.iter().zip(&pull).map(|(x, pull)| x[f] * pull).sum::<f64>();
                *weight = (*weight + rate * (gradient - PENALTY * *weight)).max(0.0);
            }
        }
        Self { weights, means, deviations }
    }
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let end = (start..order.len()).find(|&i| values[order[i]] != values[order[start]]).unwrap_or(order.len());
        let shared = (start + end - 1) as f64 / 2.0;
        order[start..end].iter().for_each(|&index| ranks[index] = shared);
        start = end;
    }
    ranks
}

fn spearman(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let dot = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum() };
    dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt().max(1e-12)
}

/// Kendall's tau-b.
fn kendall(a: &[f64], b: &[f64]) -> f64 {
    let (mut agree, mut ties_a, mut ties_b, mut pairs) = (0.0, 0.0, 0.0, 0.0);
    for i in 0..a.len() {
        for j in 0..i {
            let (x, y) = (a[i] - a[j], b[i] - b[j]);
            agree += if x * y > 0.0 {
                1.0
            } else if x * y < 0.0 {
                -1.0
            } else {
                0.0
            };
            ties_a += f64::from(u8::from(x == 0.0));
            ties_b += f64::from(u8::from(y == 0.0));
            pairs += 1.0;
        }
    }
    agree / ((pairs - ties_a) * (pairs - ties_b)).sqrt().max(1e-12)
}

/// A way to order levels: its name, and the value of a level under the model fitted without it.
type Judge<'a> = (&'a str, &'a dyn Fn(&Model, &Row) -> f64);

fn weigh(path: &str) -> Result<(), String> {
    let rows = read(path)?;
    let judges: [Judge<'_>; 4] = [
        ("grade", &|model, row| model.score(row)),
        ("pushes alone", &|_, row| row.features[0]),
        ("moves alone", &|_, row| row.features[1]),
        ("box changes alone", &|_, row| row.features[3]),
    ];
    println!("held back: every fifth level, mean of {FOLDS} parts (Spearman, Kendall)");
    for (name, judge) in judges {
        let mut line = format!("{name:18}");
        let mut folds: Vec<[(f64, f64); ORDERED]> = Vec::new();
        let mut above = 0.0;
        for fold in 0..FOLDS {
            let (held, kept): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.number % FOLDS == fold);
            let model = Model::fit(&kept);
            folds.push(std::array::from_fn(|collection| {
                let part: Vec<&&Row> = held.iter().filter(|row| row.collection == collection).collect();
                let values: Vec<f64> = part.iter().map(|row| judge(&model, row)).collect();
                let places: Vec<f64> = part.iter().map(|row| row.place).collect();
                (spearman(&values, &places), kendall(&values, &places))
            }));
            let values = |of: &dyn Fn(&Row) -> bool| -> Vec<f64> {
                held.iter().filter(|row| of(row)).map(|row| judge(&model, row)).collect()
            };
            let (hard, easy) = (values(&|row| row.collection == ORDERED), values(&|row| row.collection < 2));
            let wins = hard.iter().flat_map(|h| easy.iter().map(move |e| h > e)).filter(|&win| win).count();
            above += wins as f64 / (hard.len() * easy.len()).max(1) as f64 / FOLDS as f64;
        }
        for (collection, title) in COLLECTIONS.iter().enumerate().take(ORDERED) {
            let mean =
                |of: fn(&(f64, f64)) -> f64| folds.iter().map(|fold| of(&fold[collection])).sum::<f64>() / FOLDS as f64;
            let _ = write!(line, "  {title} {:.3} {:.3}", mean(|pair| pair.0), mean(|pair| pair.1));
        }
        println!("{line}  XSokoban above Microban {:.1} %", 100.0 * above);
    }
    println!("\nheld back: a whole collection (Spearman, Kendall)");
    for (name, judge) in judges {
        let mut line = format!("{name:18}");
        for (collection, title) in COLLECTIONS.iter().enumerate().take(ORDERED) {
            let (held, kept): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.collection == collection);
            let model = Model::fit(&kept);
            let values: Vec<f64> = held.iter().map(|row| judge(&model, row)).collect();
            let places: Vec<f64> = held.iter().map(|row| row.place).collect();
            let _ = write!(line, "  {title} {:.3} {:.3}", spearman(&values, &places), kendall(&values, &places));
        }
        println!("{line}");
    }
    let all: Vec<&Row> = rows.iter().collect();
    let model = Model::fit(&all);
    println!("\nWEIGHTS (weight, mean, deviation)");
    for (f, name) in FEATURES.iter().enumerate() {
        println!("    [{:.4}, {:.4}, {:.4}], // {name}", model.weights[f], model.means[f], model.deviations[f]);
    }
    let scores = |of: &dyn Fn(&Row) -> bool| -> Vec<f64> {
        let mut scores: Vec<f64> = rows.iter().filter(|row| of(row)).map(|row| model.score(row)).collect();
        scores.sort_by(f64::total_cmp);
        scores
    };
    // Grades 1 to 8 are an eighth of Microban each; the hardest half of XSokoban has grade 10.
    let (small, large) = (scores(&|row| row.collection < 2), scores(&|row| row.collection == ORDERED));
    let quantile = |sorted: &[f64], q: f64| sorted[((sorted.len() - 1) as f64 * q) as usize];
    let mut borders: Vec<f64> = (1..=7).map(|eighth| quantile(&small, f64::from(eighth) / 8.0)).collect();
    borders.extend([quantile(&large, 0.1), quantile(&large, 0.5)]);
    println!("BORDERS {borders:.4?}");
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["measure", folder, out] => measure(folder, out, 10),
        ["measure", folder, out, seconds] => match seconds.parse() {
            Ok(seconds) => measure(folder, out, seconds),
            Err(_) => Err(format!("`{seconds}` is no number of seconds")),
        },
        ["weigh", path] => weigh(path),
        _ => Err("usage: fit measure FOLDER FIGURES.csv [SECONDS] | fit weigh FIGURES.csv".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("fit: {sentence}");
            ExitCode::from(2)
        }
    }
}
