/**
 * Login, logout, refresh, revocation and the list of logins over HTTP: what they read and what they answer, whatever the server. It may use {@code
 * login} and what that uses; it knows neither servlets nor WebFlux. Start with {@code LoginEndpoint}.
 */
@NullMarked
package dev.latchkey.auth.spring.endpoint;

import org.jspecify.annotations.NullMarked;
