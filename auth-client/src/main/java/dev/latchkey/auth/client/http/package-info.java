/** The JDK's HTTP client with the credentials of an {@link dev.latchkey.auth.client.Authorizer}. */
@NullMarked
package dev.latchkey.auth.client.http;

import org.jspecify.annotations.NullMarked;
