package dev.latchkey.auth.contract;

import dev.latchkey.auth.AuthPlugin;

/** Rules about a subject, as tests of an interface; JUnit finds inherited tests. */
interface Rules<P extends AuthPlugin> {

    /** The running test. */
    Trial<P> trial();
}
