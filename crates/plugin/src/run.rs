//! Runs lurd.exe for one call, from the first byte to its end.
//!
//! Threads read its two outputs and write its input; the calling thread alone talks to the host. When this returns the
//! process has ended, and so have the threads, unless somebody else holds its pipes open: for that nobody waits.

use crate::message::{self, Answered, Note, Progress};
use crate::return_code::ReturnCode;
use crate::settings::Settings;
use crate::status::Status;
use crate::task::{Answer, Task, stopped, timeout};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How often the host is told and asked.
const TELL: Duration = Duration::from_millis(200);
/// How often a stop that came another way is looked for.
const LOOK: Duration = Duration::from_millis(20);
/// How long lurd.exe may take to print what it has when it is asked to stop; then it is killed.
const GRACE: Duration = Duration::from_millis(150);
/// How much later than its time limit lurd.exe may end by itself.
const OVERTIME: Duration = Duration::from_secs(3);
/// The exit code of lurd for input it cannot use.
const REFUSED: i32 = 2;

/// Who called.
pub trait Host {
    /// Shows how far the work is; true asks for a stop. Called a few times a second.
    fn tell(&mut self, status: &Status) -> bool;

    /// Whether a stop was asked for outside [`tell`](Self::tell).
    fn is_stopped(&self) -> bool;

    /// Makes sure that the process does not outlive the host.
    fn adopt(&mut self, process: &Child);
}

/// What the readers see.
enum Event {
    Result(String),
    Note(String),
}

/// Does a task.
pub fn run(program: &Path, task: &Task, settings: &Settings, host: &mut dyn Host) -> Answer {
    let mut process = match start(program, task, settings) {
        Ok(process) => process,
        Err(error) => {
            let text = format!(
                "lurd.exe cannot be started: {error}; it has to lie beside the plug-in, at {}",
                program.display()
            );
            return Answer::without_game(ReturnCode::Failure, text);
        }
    };
    host.adopt(&process);
    let (events, inbox) = mpsc::channel();
    let (hold, release) = mpsc::channel();
    let mut threads = Vec::new();
    if let Some(input) = process.stdin.take() {
        let text = task.input();
        threads.push(thread::spawn(move || feed(input, &text, &release)));
    }
    if let Some(output) = process.stdout.take() {
        let events = events.clone();
        threads.push(thread::spawn(move || lines(output, &events, Event::Result)));
    }
    if let Some(output) = process.stderr.take() {
        threads.push(thread::spawn(move || lines(output, &events, Event::Note)));
    }
    let call = Call { task, limit: task.time_limit(settings), began: Instant::now(), seen: Seen::default() };
    let (answer, closed) = call.attend(process, hold, &inbox, host);
    if closed {
        // They end now; a host that unloads the plug-in next must not find them in it.
        threads.into_iter().for_each(|thread| drop(thread.join()));
    }
    answer
}

fn start(program: &Path, task: &Task, settings: &Settings) -> std::io::Result<Child> {
    let mut command = Command::new(program);
    command.args(task.arguments(settings)).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;
        // Without a console: none flashes up, and no process that serves one holds the pipes open.
        command.creation_flags(windows_sys::Win32::System::Threading::DETACHED_PROCESS);
    }
    // A process that dies before its first instruction is an internal error of the system: seen under Wine in 3 of 4,600
    // starts. The next start is as good as any.
    let again = |error: &std::io::Error| error.raw_os_error() == Some(INTERNAL_ERROR);
    command.spawn().or_else(|error| if again(&error) { command.spawn() } else { Err(error) })
}

/// `ERROR_INTERNAL_ERROR` of Windows.
const INTERNAL_ERROR: i32 = 1359;

/// Writes the level and holds the input open until it is released: closing it asks lurd.exe to stop.
fn feed(mut input: ChildStdin, text: &str, release: &Receiver<()>) {
    // A process that is gone reads nothing; its end is noticed elsewhere.
    if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_ok() {
        let _ = release.recv();
    }
}

/// Sends the lines of an output.
fn lines(output: impl Read, events: &Sender<Event>, event: fn(String) -> Event) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        if events.send(event(String::from_utf8_lossy(&line).into_owned())).is_err() {
            return;
        }
        line.clear();
    }
}

/// What was read so far.
#[derive(Default)]
struct Seen {
    ending: Option<Answered>,
    progress: Progress,
    sentence: Option<String>,
}

impl Seen {
    fn take(&mut self, event: Event) {
        match event {
            Event::Result(line) => self.ending = self.ending.take().or(message::answered(&line)),
            Event::Note(line) => match message::note(&line) {
                Note::Progress(progress) => self.progress = progress,
                Note::Sentence(sentence) => self.sentence = Some(sentence),
            },
        }
    }
}

/// Why lurd.exe was asked to end.
#[derive(Clone, Copy)]
enum Halt {
    Stop,
    Timeout,
}

/// A call under way.
struct Call<'a> {
    task: &'a Task,
    limit: Option<Duration>,
    began: Instant,
    seen: Seen,
}

impl Call<'_> {
    /// Waits for the end of the process, telling the host. Returns whether its outputs were closed too.
    fn attend(
        mut self,
        mut process: Child,
        hold: Sender<()>,
        inbox: &Receiver<Event>,
        host: &mut dyn Host,
    ) -> (Answer, bool) {
        let mut hold = Some(hold);
        let mut halt: Option<(Halt, Instant)> = None;
        let mut due = Instant::now();
        let mut ended: Option<Instant> = None;
        let closed = loop {
            match inbox.recv_timeout(LOOK) {
                Ok(event) => self.seen.take(event),
                Err(RecvTimeoutError::Disconnected) => break true,
                Err(RecvTimeoutError::Timeout) => {
                    if let Ok(Some(_)) = process.try_wait()
                        && ended.get_or_insert_with(Instant::now).elapsed() > GRACE
                    {
                        break false;
                    }
                }
            }
            if let Some((_, since)) = halt {
                if self.seen.ending.is_some() || since.elapsed() > GRACE {
                    // It has nothing more to say; it has ended by itself if this fails.
                    let _ = process.kill();
                }
                continue;
            }
            let mut stop = host.is_stopped();
            if !stop && Instant::now() >= due {
                stop = host.tell(&self.status());
                due = Instant::now() + TELL;
            }
            if stop {
                halt = Some((Halt::Stop, Instant::now()));
            } else if self.limit.is_some_and(|limit| self.began.elapsed() > limit + OVERTIME) {
                halt = Some((Halt::Timeout, Instant::now()));
            }
            if halt.is_some() {
                hold.take();
            }
        };
        // It has ended, or has closed its outputs and does nothing for us any more.
        drop(hold);
        if halt.is_none() && !ends_within(&mut process, GRACE) {
            let _ = process.kill();
        }
        let status = process.wait().ok();
        (self.answer(halt.map(|(halt, _)| halt), status), closed)
    }

    fn status(&self) -> Status {
        Status {
            states: self.seen.progress.generated.unwrap_or_default(),
            text: self.task.progress(&self.seen.progress),
            elapsed: self.began.elapsed(),
        }
    }

    fn answer(self, halt: Option<Halt>, status: Option<ExitStatus>) -> Answer {
        if let Some(ending) = self.seen.ending {
            let answer = self.task.answer(ending);
            return match halt {
                Some(halt) if answer.game.is_none() && answer.code == ReturnCode::GaveUp => halted(halt),
                _ => answer,
            };
        }
        if let Some(halt) = halt {
            return halted(halt);
        }
        let code = status.and_then(|status| status.code());
        match (code, self.seen.sentence) {
            (Some(REFUSED), Some(sentence)) => Answer::without_game(ReturnCode::InvalidLevel, sentence),
            (_, Some(sentence)) => Answer::without_game(ReturnCode::Failure, format!("lurd.exe failed: {sentence}")),
            (Some(code), None) => {
                Answer::without_game(ReturnCode::Failure, format!("lurd.exe ended without a result (exit code {code})"))
            }
            (None, None) => Answer::without_game(ReturnCode::Failure, "lurd.exe was killed"),
        }
    }
}

fn halted(halt: Halt) -> Answer {
    match halt {
        Halt::Stop => stopped(),
        Halt::Timeout => timeout(),
    }
}

fn ends_within(process: &mut Child, most: Duration) -> bool {
    let began = Instant::now();
    while began.elapsed() < most {
        if matches!(process.try_wait(), Ok(Some(_)) | Err(_)) {
            return true;
        }
        thread::sleep(Duration::from_millis(5));
    }
    false
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
