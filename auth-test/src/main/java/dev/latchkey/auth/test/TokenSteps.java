package dev.latchkey.auth.test;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.test.TokenRecipe.Flaw;
import java.time.Duration;
import java.util.Set;

/**
 * The settings of a request's token, for any client.
 *
 * <p>Each step returns a new object, so a test can keep one and vary copies. The defaults are those of the service: a
 * token for {@code user} without authorities, with the lifetime of a login's token.
 *
 * @param <S> the type after a step
 */
public sealed interface TokenSteps<S> permits MockMvcToken, WebTestClientToken, TokenHeaders {

    /**
     * Sets the subject's id.
     *
     * @param id 1 to 255 characters, not blank, without control characters
     * @return a changed copy
     * @throws IllegalArgumentException if the id is not valid for a subject
     */
    default S subject(String id) {
        Subject before = recipe().subject();
        return with(recipe().withSubject(new Subject(id, before.authorities(), before.claims())));
    }

    /**
     * Sets the subject with its authorities and claims.
     *
     * @param subject replaces all earlier settings of the subject
     * @return a changed copy
     */
    default S subject(Subject subject) {
        return with(recipe().withSubject(subject));
    }

    /**
     * Replaces the authorities, in the form of Spring Security: {@code ROLE_ADMIN}, {@code SCOPE_read}.
     *
     * @param authorities not blank
     * @return a changed copy
     */
    default S authorities(String... authorities) {
        return with(recipe().withSubject(recipe().subject().withAuthorities(authorities)));
    }

    /**
     * Adds a claim of the subject.
     *
     * @param name of the claim
     * @param value text, a number, a boolean, or a list or map of these
     * @return a changed copy
     * @throws IllegalArgumentException if the claim is not valid for a subject
     */
    default S claim(String name, Object value) {
        return with(recipe().withSubject(recipe().subject().withClaim(name, value)));
    }

    /**
     * Sets the login methods, by their names in RFC 8176, at the time of the request: {@code "pwd", "otp"}.
     *
     * @param methods each once
     * @return a changed copy
     */
    default S factors(String... methods) {
        return with(recipe().withMethods(Set.of(methods)));
    }

    /**
     * Sets the lifetime from the time of the request, in whole seconds.
     *
     * @param lifetime at least a second
     * @return a changed copy
     */
    default S lifetime(Duration lifetime) {
        return with(recipe().withLifetime(lifetime));
    }

    /**
     * A token with the right key that expired a day ago.
     *
     * @return a changed copy
     */
    default S expired() {
        return with(recipe().withFlaw(Flaw.EXPIRED));
    }

    /**
     * A token with a wrong key, otherwise valid.
     *
     * @return a changed copy
     */
    default S signedByAnotherKey() {
        return with(recipe().withFlaw(Flaw.OTHER_KEY));
    }

    /**
     * A token revoked before the request; the subject's other tokens are not revoked.
     *
     * @return a changed copy
     */
    default S revoked() {
        return with(recipe().withFlaw(Flaw.REVOKED));
    }

    /**
     * A fixed text instead of a new token: from a login, or not a token at all.
     *
     * @param text sent unchanged after {@code Bearer}
     * @return a changed copy
     */
    default S token(String text) {
        return with(recipe().withText(text));
    }

    /**
     * The current settings.
     *
     * @return an immutable recipe
     */
    TokenRecipe recipe();

    /**
     * Returns a copy with another recipe.
     *
     * @param recipe replaces the current settings
     * @return a changed copy
     */
    S with(TokenRecipe recipe);
}
