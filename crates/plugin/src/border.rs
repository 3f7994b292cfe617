//! The functions a host looks up, and everything else that needs `unsafe`: memory the host owns, the host's callback, and
//! calls of Windows.
//!
//! What is relied on is the contract of the interface: pointers are null or point to as many bytes as the lengths beside
//! them say, stay valid during the call, and are used by nobody else meanwhile. No panic leaves this file: unwinding
//! into a host that was not written in Rust is undefined.
#![allow(unsafe_code, reason = "this file is the border to C: raw pointers in, calls of Windows out")]
#![allow(non_snake_case, reason = "the names are those that hosts look up")]

use crate::board::{self, BoardError, MAX_SIDE};
use crate::games;
use crate::metric;
use crate::return_code::ReturnCode;
use crate::run::{self, Host};
use crate::settings::{self, Settings};
use crate::status::{PluginStatus, Status};
use crate::task::{Answer, Task};
use std::ffi::{OsStr, OsString, c_void};
use std::mem::{size_of, zeroed};
use std::os::windows::ffi::{OsStrExt, OsStringExt};
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::Child;
use std::ptr::null;
use std::slice;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;
use windows_sys::Win32::Foundation::HWND;
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
};
use windows_sys::Win32::System::LibraryLoader::{
    GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT, GetModuleFileNameW,
    GetModuleHandleExW,
};
use windows_sys::Win32::UI::Shell::ShellExecuteW;
use windows_sys::Win32::UI::WindowsAndMessaging::{
    IDYES, MB_ICONINFORMATION, MB_OK, MB_YESNO, MESSAGEBOX_STYLE, MessageBoxW, SW_SHOWNORMAL,
};

/// What the plug-in is called in a host's lists.
const NAME: &str = concat!("lurd ", env!("CARGO_PKG_VERSION"));

/// A host's function that shows the status; not 0 asks for a stop.
type Callback = unsafe extern "system" fn() -> i32;

/// How often `Terminate` was called: a call that sees another number than at its start stops.
static STOPS: AtomicU32 = AtomicU32::new(0);

/// Finds a solution.
#[unsafe(no_mangle)]
unsafe extern "system" fn SolveEx(
    width: u32,
    height: u32,
    board: *const u8,
    solution: *mut u8,
    size: u32,
    status: *mut PluginStatus,
    callback: Option<Callback>,
) -> i32 {
    // Safety: as the contract at the top of this file says.
    let (buffer, caller) = unsafe { (bytes_mut(solution, size), Caller::new(status, callback)) };
    call(caller, buffer, 1, |caller, _| {
        let squares = board::squares(width, height)?;
        // Safety: a board has `width * height` squares.
        let board = unsafe { bytes(board, squares) };
        solve(caller, board.chunks(width as usize))
    })
}

/// Finds a solution: the oldest form, rows apart, without status and callback.
#[unsafe(no_mangle)]
unsafe extern "system" fn Solve(width: u32, height: u32, rows: *const *const u8, solution: *mut u8, size: u32) -> i32 {
    // Safety: as the contract at the top of this file says.
    let (buffer, caller) = unsafe { (bytes_mut(solution, size), Caller::new(std::ptr::null_mut(), None)) };
    call(caller, buffer, 1, |caller, _| {
        board::squares(width, height)?;
        let rows = if rows.is_null() {
            &[]
        } else {
            // Safety: there are `height` pointers to rows.
            unsafe { slice::from_raw_parts(rows, height as usize) }
        };
        // Safety: a row has `width` squares, or ends before with a zero byte.
        let rows = rows.iter().map(|&row| unsafe { row_of(row, width as usize) });
        solve(caller, rows)
    })
}

/// Makes the best of the games in the buffer shorter.
#[unsafe(no_mangle)]
unsafe extern "system" fn Optimize(
    width: u32,
    height: u32,
    board: *const u8,
    moves: *mut u8,
    size: u32,
    status: *mut PluginStatus,
    callback: Option<Callback>,
) -> i32 {
    // Safety: as the contract at the top of this file says.
    let (buffer, caller) = unsafe { (bytes_mut(moves, size), Caller::new(status, callback)) };
    call(caller, buffer, 2, |caller, buffer| {
        let squares = board::squares(width, height)?;
        // Safety: a board has `width * height` squares.
        let board = board::lines(unsafe { bytes(board, squares) }.chunks(width as usize))?;
        let games = games::read(buffer);
        if games.is_empty() {
            return Err(Answer::without_game(ReturnCode::InvalidLevel, "there is no game to optimize"));
        }
        let Some(wanted) = metric::wanted(caller.flags()) else {
            let text = "lurd optimizes moves and pushes, and nothing else";
            return Err(Answer::without_game(ReturnCode::GaveUp, text));
        };
        caller.perform(&Task::optimize(board, wanted, games))
    })
}

/// Asks calls that run on other threads to stop.
#[unsafe(no_mangle)]
extern "system" fn Terminate() -> i32 {
    STOPS.fetch_add(1, Ordering::Relaxed);
    0
}

/// Whether the optimizer does what these flags ask for: 0 is no.
#[unsafe(no_mangle)]
extern "system" fn IsSupportedOptimization(flags: u32) -> i32 {
    metric::wanted(flags).is_some().into()
}

/// The largest board; 0 is no limit.
#[unsafe(no_mangle)]
unsafe extern "system" fn GetConstraints(max_width: *mut u32, max_height: *mut u32, max_boxes: *mut u32) {
    for (place, limit) in [(max_width, MAX_SIDE), (max_height, MAX_SIDE), (max_boxes, 0)] {
        if !place.is_null() {
            // Safety: a pointer that is not null has room for a number, wherever it is aligned.
            unsafe { place.write_unaligned(limit) };
        }
    }
}

/// The name in a host's lists.
#[unsafe(no_mangle)]
unsafe extern "system" fn GetPluginName(text: *mut u8, size: u32) {
    // Safety: as the contract at the top of this file says.
    let buffer = unsafe { bytes_mut(text, size) };
    let room = buffer.len().saturating_sub(1).min(NAME.len());
    games::write(&NAME[..room], buffer, 1);
}

/// Says what this is.
#[unsafe(no_mangle)]
extern "system" fn ShowAbout(parent: HWND) {
    // A panic has nothing to tell here, and must not leave.
    let _ = catch_unwind(|| {
        let text = format!(
            "{NAME}\n\nA Sokoban solver and optimizer. Every solution is replayed by an independent referee before it \
             is shown.\n\nThe work is done by\n{}",
            program().display()
        );
        message_box(parent, &text, MB_OK | MB_ICONINFORMATION)
    });
}

/// Names the settings file, creates it where it is missing, and offers to open it.
#[unsafe(no_mangle)]
extern "system" fn Configure(parent: HWND) {
    // As above.
    let _ = catch_unwind(|| {
        let path = settings_path();
        if let Err(error) = settings::create(&path) {
            let text =
                format!("The settings are kept in the text file\n{}\nwhich cannot be created: {error}", path.display());
            message_box(parent, &text, MB_OK | MB_ICONINFORMATION);
            return;
        }
        let state = match Settings::load(&path) {
            Ok(_) => String::new(),
            Err(error) => format!("\n\nIt has to be corrected: {error}."),
        };
        let text =
            format!("The settings are kept in the text file\n{}{state}\n\nOpen it in an editor?", path.display());
        if message_box(parent, &text, MB_YESNO | MB_ICONINFORMATION) == IDYES {
            let path = wide(path.as_os_str());
            // Safety: the strings end with zeros and live during the call; null is the verb of a double click.
            unsafe { ShellExecuteW(parent, null(), path.as_ptr(), null(), null(), SW_SHOWNORMAL) };
        }
    });
}

/// Does a call and writes what it comes to: the game with `zeros` zero bytes behind it, and the status.
fn call(
    mut caller: Caller,
    buffer: &mut [u8],
    zeros: usize,
    work: impl FnOnce(&mut Caller, &[u8]) -> Result<Answer, Answer>,
) -> i32 {
    let answer = catch_unwind(AssertUnwindSafe(|| match work(&mut caller, buffer) {
        Ok(answer) | Err(answer) => answer,
    }))
    .unwrap_or_else(|_| Answer::without_game(ReturnCode::Failure, "the plug-in has a fault"));
    let answer = match &answer.game {
        Some(game) if !games::write(game, buffer, zeros) => {
            let text = format!("the solution has {} moves and does not fit into the program's buffer", game.len());
            Answer::without_game(ReturnCode::TooLong, text)
        }
        _ => answer,
    };
    caller.end(&answer);
    answer.code as i32
}

fn solve<'a>(caller: &mut Caller, rows: impl Iterator<Item = &'a [u8]>) -> Result<Answer, Answer> {
    let board = board::lines(rows)?;
    // A solver is asked for a solution; what it does not know how to minimise it leaves.
    let wanted = metric::wanted(caller.flags()).unwrap_or(metric::Wanted { first: None, second: false });
    caller.perform(&Task::solve(board, wanted))
}

impl From<BoardError> for Answer {
    fn from(error: BoardError) -> Self {
        let code = match error {
            BoardError::TooLarge(..) => ReturnCode::ConstraintsViolated,
            BoardError::Empty | BoardError::Unknown { .. } => ReturnCode::InvalidLevel,
        };
        Self::without_game(code, error.to_string())
    }
}

/// The host during one call.
struct Caller {
    /// Null, or a record of the full size.
    status: *mut PluginStatus,
    callback: Option<Callback>,
    stops: u32,
    began: Instant,
    states: u64,
    /// Closing it ends the process in it.
    job: Option<OwnedHandle>,
}

impl Caller {
    /// # Safety
    /// `status` is null or points to a record of at least the size it tells, for as long as this lives.
    unsafe fn new(status: *mut PluginStatus, callback: Option<Callback>) -> Self {
        // Safety: every record begins with its size.
        let fits =
            !status.is_null() && unsafe { status.cast::<u32>().read_unaligned() } as usize >= size_of::<PluginStatus>();
        Self {
            status: if fits { status } else { std::ptr::null_mut() },
            callback,
            stops: STOPS.load(Ordering::Relaxed),
            began: Instant::now(),
            states: 0,
            job: None,
        }
    }

    fn flags(&self) -> u32 {
        // Safety: see `new`; the record is packed, so that a reference has no alignment to break.
        unsafe { self.status.as_ref() }.map_or(0, |record| record.flags)
    }

    /// Reads the settings and has lurd.exe do the task.
    fn perform(&mut self, task: &Task) -> Result<Answer, Answer> {
        let settings = Settings::load(&settings_path())
            .map_err(|error| Answer::without_game(ReturnCode::InvalidSettings, error.to_string()))?;
        Ok(run::run(&program(), task, &settings, self))
    }

    /// The last words.
    fn end(&mut self, answer: &Answer) {
        self.write(&Status {
            states: self.states.max(answer.states),
            text: answer.text.clone(),
            elapsed: self.began.elapsed(),
        });
        // Safety: see `flags`.
        if let (Some(record), Some(flags)) = (unsafe { self.status.as_mut() }, answer.flags) {
            record.flags = flags;
        }
    }

    fn write(&mut self, status: &Status) {
        // Safety: see `flags`; the reference ends before the host's callback runs.
        if let Some(record) = unsafe { self.status.as_mut() } {
            status.write(record);
        }
    }
}

impl Host for Caller {
    fn tell(&mut self, status: &Status) -> bool {
        self.states = status.states;
        self.write(status);
        // Safety: the callback is a function of the host, called from the thread the host called us on.
        self.callback.is_some_and(|callback| unsafe { callback() } != 0)
    }

    fn is_stopped(&self) -> bool {
        STOPS.load(Ordering::Relaxed) != self.stops
    }

    fn adopt(&mut self, process: &Child) {
        // Where Windows refuses, lurd.exe still ends when its input is closed.
        self.job = job_with(process);
    }
}

/// A job object that holds the process and ends it when the last handle to the job is closed, as it is when the host dies.
fn job_with(process: &Child) -> Option<OwnedHandle> {
    // Safety: no pointers but null; a handle that is not null is ours alone.
    let job = unsafe { CreateJobObjectW(null(), null()) };
    if job.is_null() {
        return None;
    }
    // Safety: as above.
    let owned = unsafe { OwnedHandle::from_raw_handle(job) };
    // Safety: a record of numbers, for which zeros are valid.
    let mut limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = unsafe { zeroed() };
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    let size = size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>() as u32;
    let place: *const c_void = (&raw const limits).cast();
    // Safety: the record is of the class and size that are named; both handles are open.
    let held = unsafe {
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, place, size) != 0
            && AssignProcessToJobObject(job, process.as_raw_handle()) != 0
    };
    held.then_some(owned)
}

/// The `lurd.exe` beside the plug-in.
fn program() -> PathBuf {
    plugin_path().with_file_name("lurd.exe")
}

/// Where the player's settings are: every player has some of their own, whoever installed the plug-in.
fn settings_path() -> PathBuf {
    match std::env::var_os("APPDATA").filter(|folder| !folder.is_empty()) {
        Some(folder) => PathBuf::from(folder).join("lurd").join("plugin.toml"),
        None => plugin_path().with_file_name("plugin.toml"),
    }
}

/// The file this code was loaded from.
fn plugin_path() -> PathBuf {
    const LONGEST: usize = 32 << 10;
    let mut module = std::ptr::null_mut();
    let mut path = vec![0u16; LONGEST];
    // Safety: an address of this module stands for a name, as the flag says, and the buffer has the length that is told.
    let length = unsafe {
        let flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
        let here: *const u16 = (&raw const STOPS).cast();
        GetModuleHandleExW(flags, here, &raw mut module);
        GetModuleFileNameW(module, path.as_mut_ptr(), LONGEST as u32)
    };
    OsString::from_wide(&path[..length as usize]).into()
}

fn message_box(parent: HWND, text: &str, style: MESSAGEBOX_STYLE) -> i32 {
    let (text, title) = (wide(OsStr::new(text)), wide(OsStr::new("lurd")));
    // Safety: both strings end with zeros and live during the call.
    unsafe { MessageBoxW(parent, text.as_ptr(), title.as_ptr(), style) }
}

/// A string as Windows takes it, with its zero.
fn wide(text: &OsStr) -> Vec<u16> {
    text.encode_wide().chain([0]).collect()
}

/// # Safety
/// `start` is null, or `length` bytes are there for as long as the caller needs them.
unsafe fn bytes<'a>(start: *const u8, length: usize) -> &'a [u8] {
    // Safety: as promised.
    if start.is_null() { &[] } else { unsafe { slice::from_raw_parts(start, length) } }
}

/// # Safety
/// As [`bytes`], and nobody else uses them meanwhile.
unsafe fn bytes_mut<'a>(start: *mut u8, length: u32) -> &'a mut [u8] {
    // No object is larger than half the addresses, whatever a host says.
    let length = (length as usize).min(isize::MAX as usize);
    // Safety: as promised.
    if start.is_null() { &mut [] } else { unsafe { slice::from_raw_parts_mut(start, length) } }
}

/// A row that may end early.
///
/// # Safety
/// `start` is null, or bytes are there up to the first zero or to `width`, whichever comes first.
unsafe fn row_of<'a>(start: *const u8, width: usize) -> &'a [u8] {
    // Safety: byte by byte, no further than promised.
    let length = (0..width).take_while(|&index| !start.is_null() && unsafe { *start.add(index) } != 0).count();
    // Safety: these bytes were read just now.
    unsafe { bytes(start, length) }
}
