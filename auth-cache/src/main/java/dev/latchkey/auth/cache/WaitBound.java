package dev.latchkey.auth.cache;

/**
 * Says whether one more thread may wait for a hash that another computes. A service that bounds how many of its request threads
 * wait for logins, wherever they wait, hands one to {@link CredentialCache#with(CredentialCacheSettings, WaitBound)}. Safe for use by
 * any number of threads.
 */
public interface WaitBound {

    /** Lets any number wait. */
    WaitBound NONE = new WaitBound() {
        @Override
        public boolean enter() {
            return true;
        }

        @Override
        public void leave() {}
    };

    /**
     * Takes a place for the calling thread; if there is none, the caller is told of an overload.
     *
     * @return whether there was one; then {@link #leave} follows on the same thread
     */
    boolean enter();

    /** Gives back the place that the calling thread took. */
    void leave();
}
