/// Returns free heap memory of this process to the system.
///
/// glibc keeps freed memory in the arena of the thread that allocated it, and returns only what is free at the
/// arena's end. Does nothing with other allocators. The call takes locks that every allocation needs, for
/// milliseconds, so do not call it on a request thread.
pub fn release_free_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "no safe interface to the allocator has this call")]
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> std::ffi::c_int;
        }
        #[expect(unsafe_code, reason = "it is a function of the C library")]
        // SAFETY: it takes a plain number, can be called from any thread at any time, and frees nothing that is in
        // use.
        unsafe {
            malloc_trim(0);
        }
    }
}
