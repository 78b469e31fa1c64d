package dev.latchkey.auth.test;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.test.TokenRecipe.Flaw;
import java.time.Duration;
import java.util.Set;

/**
 * What can be said of a token that a request is to carry, whatever makes the request.
 *
 * <p>Each step gives a new value, so one can be kept and varied. What is not said is as the service issues it: a token for {@code user}
 * without authorities, good for {@code latchkey.jwt.lifetime}.
 *
 * @param <S> what a step gives
 */
public sealed interface TokenSteps<S> permits MockMvcToken, WebTestClientToken, TokenHeaders {

    /**
     * Names this subject.
     *
     * @param id 1 to 255 characters, not blank, none of them a control character
     * @return another one; this one stays as it is
     * @throws IllegalArgumentException if no subject can have this id
     */
    default S subject(String id) {
        Subject before = recipe().subject();
        return with(recipe().withSubject(new Subject(id, before.authorities(), before.claims())));
    }

    /**
     * Names this subject, with its authorities and claims.
     *
     * @param subject in place of all that was said of one before
     * @return another one; this one stays as it is
     */
    default S subject(Subject subject) {
        return with(recipe().withSubject(subject));
    }

    /**
     * With these authorities and no others, as Spring Security writes them: {@code ROLE_ADMIN}, {@code SCOPE_read}.
     *
     * @param authorities none of them blank
     * @return another one; this one stays as it is
     */
    default S authorities(String... authorities) {
        return with(recipe().withSubject(recipe().subject().withAuthorities(authorities)));
    }

    /**
     * With this claim of the subject.
     *
     * @param name of the claim
     * @param value text, a number, a boolean, or a list or map of these
     * @return another one; this one stays as it is
     * @throws IllegalArgumentException if it is none that a subject can have
     */
    default S claim(String name, Object value) {
        return with(recipe().withSubject(recipe().subject().withClaim(name, value)));
    }

    /**
     * Proved in these ways, by their names of RFC 8176, at the time of the request: {@code "pwd", "otp"}.
     *
     * @param methods each once
     * @return another one; this one stays as it is
     */
    default S factors(String... methods) {
        return with(recipe().withMethods(Set.of(methods)));
    }

    /**
     * Good for this long from the time of the request; whole seconds.
     *
     * @param lifetime a second at least
     * @return another one; this one stays as it is
     */
    default S lifetime(Duration lifetime) {
        return with(recipe().withLifetime(lifetime));
    }

    /**
     * A token of the right key whose time was over a day ago.
     *
     * @return another one; this one stays as it is
     */
    default S expired() {
        return with(recipe().withFlaw(Flaw.EXPIRED));
    }

    /**
     * A token that is right in all but its key.
     *
     * @return another one; this one stays as it is
     */
    default S signedByAnotherKey() {
        return with(recipe().withFlaw(Flaw.OTHER_KEY));
    }

    /**
     * A token that was revoked before the request; no other one of its subject is.
     *
     * @return another one; this one stays as it is
     */
    default S revoked() {
        return with(recipe().withFlaw(Flaw.REVOKED));
    }

    /**
     * This text in place of a token that is made: one from a login, or none at all.
     *
     * @param text is sent behind {@code Bearer} as it stands
     * @return another one; this one stays as it is
     */
    default S token(String text) {
        return with(recipe().withText(text));
    }

    /**
     * What was said so far.
     *
     * @return a recipe that does not change
     */
    TokenRecipe recipe();

    /**
     * The same with another recipe.
     *
     * @param recipe in place of what was said so far
     * @return another one; this one stays as it is
     */
    S with(TokenRecipe recipe);
}
