/**
 * The caller's side: logs in once for all threads, keeps the token, renews it before it ends, and sends it nowhere else.
 *
 * <p>A {@link dev.latchkey.auth.client.LoginEndpoint} says where and as whom to log in, an {@link dev.latchkey.auth.client.Authorizer} has what requests show.
 */
@NullMarked
package dev.latchkey.auth.client;

import org.jspecify.annotations.NullMarked;
