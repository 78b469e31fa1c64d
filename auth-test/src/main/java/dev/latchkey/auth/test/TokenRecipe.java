package dev.latchkey.auth.test;

import dev.latchkey.auth.Subject;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The description of a request's token, opaque to tests. Immutable. */
public final class TokenRecipe {

    /** The defect of a token. */
    enum Flaw {
        NONE,
        EXPIRED,
        OTHER_KEY,
        REVOKED
    }

    static final TokenRecipe DEFAULT = new TokenRecipe(Subject.of("user"), Set.of(), null, Flaw.NONE, null);

    private final Subject subject;
    private final Set<String> methods;
    private final @Nullable Duration lifetime;
    private final Flaw flaw;
    private final @Nullable String text;

    private TokenRecipe(
            Subject subject, Set<String> methods, @Nullable Duration lifetime, Flaw flaw, @Nullable String text) {
        this.subject = subject;
        this.methods = Set.copyOf(methods);
        this.lifetime = lifetime;
        this.flaw = flaw;
        this.text = text;
    }

    /** The token's subject. */
    Subject subject() {
        return subject;
    }

    /** The subject's login methods for {@code amr}; empty if {@code amr} is absent. */
    Set<String> methods() {
        return methods;
    }

    /** The token's lifetime; null for the service's own lifetime. */
    @Nullable
    Duration lifetime() {
        return lifetime;
    }

    Flaw flaw() {
        return flaw;
    }

    /** A fixed text instead of a new token. */
    @Nullable
    String text() {
        return text;
    }

    TokenRecipe withSubject(Subject subject) {
        return new TokenRecipe(subject, methods, lifetime, flaw, text);
    }

    TokenRecipe withMethods(Set<String> methods) {
        return new TokenRecipe(subject, methods, lifetime, flaw, text);
    }

    TokenRecipe withLifetime(Duration lifetime) {
        return new TokenRecipe(subject, methods, lifetime, flaw, text);
    }

    TokenRecipe withFlaw(Flaw flaw) {
        return new TokenRecipe(subject, methods, lifetime, flaw, text);
    }

    TokenRecipe withText(String text) {
        return new TokenRecipe(subject, methods, lifetime, flaw, text);
    }

    /** Without the text, which may be a valid token. */
    @Override
    public String toString() {
        return "TokenRecipe[subject=" + subject + ", flaw=" + flaw + "]";
    }
}
