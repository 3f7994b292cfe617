//! A lock that outlives a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex. A poisoned one is taken as it is: use it only where every change of what is guarded is a single step,
/// so that a thread that ended badly has left it whole.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
