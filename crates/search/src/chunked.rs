//! A list in chunks of fixed size.
//!
//! A `Vec` that doubles holds its old and its new memory at once while it moves;
//! near a memory limit that spike decides what can be searched. This list never
//! moves an item and grows by one chunk at a time.

/// Items in one chunk.
const CHUNK: usize = 1024;

/// A list of items, each `width` values of `T` side by side.
#[derive(Debug)]
pub(crate) struct Chunked<T> {
    width: usize,
    len: usize,
    chunks: Vec<Vec<T>>,
}

impl<T: Copy> Chunked<T> {
    pub(crate) fn new(width: usize) -> Self {
        Self { width, len: 0, chunks: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether the next push takes new memory.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.len == self.chunks.len() * CHUNK
    }

    /// How many bytes the next push may take.
    pub(crate) fn growth(&self) -> usize {
        if !self.is_full() {
            return 0;
        }
        let spine = if self.chunks.len() == self.chunks.capacity() { 4.max(self.chunks.capacity() * 2) } else { 0 };
        self.chunk_bytes() + spine * size_of::<Vec<T>>()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.chunks.len() * self.chunk_bytes() + self.chunks.capacity() * size_of::<Vec<T>>()
    }

    #[inline]
    pub(crate) fn push(&mut self, item: &[T]) {
        debug_assert_eq!(item.len(), self.width);
        if self.is_full() {
            self.chunks.push(Vec::with_capacity(CHUNK * self.width));
        }
        self.chunks[self.len / CHUNK].extend_from_slice(item);
        self.len += 1;
    }

    /// Drops the last item; its memory is kept for the next one.
    pub(crate) fn pop(&mut self) {
        debug_assert!(self.len > 0);
        self.len -= 1;
        self.chunks[self.len / CHUNK].truncate(self.len % CHUNK * self.width);
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> &[T] {
        let at = index % CHUNK * self.width;
        &self.chunks[index / CHUNK][at..at + self.width]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: usize) -> &mut [T] {
        let at = index % CHUNK * self.width;
        &mut self.chunks[index / CHUNK][at..at + self.width]
    }

    fn chunk_bytes(&self) -> usize {
        CHUNK * self.width * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaves_like_a_stack_across_chunks_and_counts_its_bytes() {
        let mut list = Chunked::<u64>::new(3);
        for i in 0..3000u64 {
            let foretold = list.bytes() + list.growth();
            list.push(&[i, i * 2, i * 3]);
            assert!(list.bytes() <= foretold, "took more than it said");
        }
        assert_eq!(list.get(2047), [2047, 4094, 6141]);
        for _ in 0..1500 {
            list.pop();
        }
        let held = list.bytes();
        list.push(&[7, 8, 9]);
        assert_eq!(list.bytes(), held, "popped memory is used again");
        assert_eq!((list.len(), list.get(1500), list.get(1499)), (1501, &[7, 8, 9][..], &[1499, 2998, 4497][..]));
    }
}
