/** The JDK's HTTP client, with what an {@link dev.latchkey.auth.client.Authorizer} has to show. */
@NullMarked
package dev.latchkey.auth.client.http;

import org.jspecify.annotations.NullMarked;
