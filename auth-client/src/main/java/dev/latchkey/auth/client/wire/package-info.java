/** What is written to HTTP and read from it: forms, JSON, bodies of a bounded length, times to wait, origins, proxies. Public for the other packages of this module alone. */
@NullMarked
package dev.latchkey.auth.client.wire;

import org.jspecify.annotations.NullMarked;
