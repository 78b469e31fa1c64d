/**
 * Login, logout, refresh, revocation and the list of sessions over HTTP: requests and answers, independent of the server. May use
 * {@code login} and the packages below, and neither servlets nor WebFlux. Start with {@code TokenEndpoint}.
 */
@NullMarked
package dev.latchkey.auth.spring.endpoint;

import org.jspecify.annotations.NullMarked;
