package dev.latchkey.auth.contract;

import dev.latchkey.auth.AuthPlugin;

/** Rules about one subject, as tests that a kit takes over; JUnit finds them there. */
interface Rules<P extends AuthPlugin> {

    /** The test that runs. */
    Trial<P> trial();
}
