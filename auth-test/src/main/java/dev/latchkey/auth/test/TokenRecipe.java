package dev.latchkey.auth.test;

import dev.latchkey.auth.Subject;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which token a request is to carry: opaque to whoever does not make it. Immutable. */
public final class TokenRecipe {

    /** What is wrong with a token. */
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

    /** Whom it names. */
    Subject subject() {
        return subject;
    }

    /** How the subject proved who it is, as {@code amr} has it; none where nothing is to be said of it. */
    Set<String> methods() {
        return methods;
    }

    /** How long it is good; as long as the service's tokens where it is null. */
    @Nullable
    Duration lifetime() {
        return lifetime;
    }

    Flaw flaw() {
        return flaw;
    }

    /** In place of a token that is made. */
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

    /** Without the text, which may be a token that opens something. */
    @Override
    public String toString() {
        return "TokenRecipe[subject=" + subject + ", flaw=" + flaw + "]";
    }
}
