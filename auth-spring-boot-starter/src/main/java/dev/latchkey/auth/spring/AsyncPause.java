package dev.latchkey.auth.spring;

import jakarta.servlet.http.HttpServletResponse;

/**
 * Where a pass of a request ended, and what the next one needs to begin there as if there had been none.
 *
 * @param response as it was; what the filters around wrote when the pass went back through them is taken back
 * @param body what was read of it
 */
record AsyncPause(GuardedFilter filter, AsyncResponseState response, byte[] body) {

    static AsyncPause in(GuardedFilter filter, HttpServletResponse response, byte[] body) {
        return new AsyncPause(filter, AsyncResponseState.of(response), body);
    }
}
