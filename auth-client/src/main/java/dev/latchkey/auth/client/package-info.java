/**
 * Client side: logs in once for all threads, keeps the token, renews the token before its expiry, and sends the token
 * only to the allowed origins.
 *
 * <p>A {@link dev.latchkey.auth.client.LoginEndpoint} holds the address and the credentials of the login. An
 * {@link dev.latchkey.auth.client.Authorizer} supplies the credentials for requests.
 */
@NullMarked
package dev.latchkey.auth.client;

import org.jspecify.annotations.NullMarked;
