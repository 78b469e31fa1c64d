package dev.latchkey.auth.cache;

/**
 * Limits the threads that wait for a hash of another thread. If a service limits its waiting request threads, pass an
 * implementation to {@link CredentialCache#with(CredentialCacheSettings, WaitBound)}. Safe for use by any number of
 * threads.
 */
public interface WaitBound {

    /** No limit. */
    WaitBound NONE = new WaitBound() {
        @Override
        public boolean enter() {
            return true;
        }

        @Override
        public void leave() {}
    };

    /**
     * Takes a slot for the calling thread. Without a free slot, the caller gets an overload error.
     *
     * @return whether a slot was free; if true, {@link #leave} follows on the same thread
     */
    boolean enter();

    /** Returns the calling thread's slot. */
    void leave();
}
