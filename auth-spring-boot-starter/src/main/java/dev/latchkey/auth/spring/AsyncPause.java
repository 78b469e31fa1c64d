package dev.latchkey.auth.spring;

import jakarta.servlet.http.HttpServletResponse;

/** Where a pass of a request ended, and what the next one needs to begin there as if there had been none. */
final class AsyncPause {

    private final GuardedFilter filter;
    private final AsyncResponseState response;
    private final byte[] body;

    /**
     * @param response as it is now: what the filters around write when the pass goes back through them is to be taken back
     * @param body what was read of it
     */
    AsyncPause(GuardedFilter filter, HttpServletResponse response, byte[] body) {
        this.filter = filter;
        this.response = AsyncResponseState.of(response);
        this.body = body;
    }

    @SuppressWarnings("ReferenceEquality") // a filter is nothing but itself
    boolean isIn(GuardedFilter other) {
        return filter == other;
    }

    void restore(HttpServletResponse given) {
        response.restore(given);
    }

    byte[] body() {
        return body;
    }
}
