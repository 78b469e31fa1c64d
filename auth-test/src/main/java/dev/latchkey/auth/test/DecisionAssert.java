package dev.latchkey.auth.test;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/** Assertions about the decision of a plugin or a chain. A failure message shows the decision without secrets. */
public final class DecisionAssert extends AbstractAssert<DecisionAssert, Decision> {

    DecisionAssert(@Nullable Decision actual) {
        super(actual, DecisionAssert.class);
    }

    /**
     * Authenticated as any subject.
     *
     * @return this
     */
    public DecisionAssert isAuthenticated() {
        authenticated();
        return this;
    }

    /**
     * Authenticated as the subject with this id.
     *
     * @param id of the subject
     * @return this
     */
    public DecisionAssert isAuthenticatedAs(String id) {
        String found = authenticated().subject().id();
        if (!found.equals(id)) {
            throw failure("Expected the subject to be <%s>, and was <%s>", id, found);
        }
        return this;
    }

    /**
     * Authenticated with exactly these authorities.
     *
     * @param authorities in any order
     * @return this
     */
    public DecisionAssert hasAuthorities(String... authorities) {
        Set<String> found = authenticated().subject().authorities();
        if (!found.equals(Set.of(authorities))) {
            throw failure("Expected the authorities %s, and were %s", Set.of(authorities), found);
        }
        return this;
    }

    /**
     * Authenticated with this claim of the subject.
     *
     * @param name of the claim
     * @param value the expected value
     * @return this
     */
    public DecisionAssert hasClaim(String name, Object value) {
        Object found = authenticated().subject().claims().get(name);
        if (!Objects.equals(found, value)) {
            throw failure("Expected the claim '%s' to be <%s>, and was <%s>", name, value, found);
        }
        return this;
    }

    /**
     * Authenticated by the plugin with this name. A chain writes the name into its verdict.
     *
     * @param plugin the plugin's name
     * @return this
     */
    public DecisionAssert isDecidedBy(String plugin) {
        String found = authenticated().plugin();
        if (!found.equals(plugin)) {
            throw failure("Expected plugin '%s' to have decided, and was '%s'", plugin, found);
        }
        return this;
    }

    /**
     * Authenticated, with this end of validity.
     *
     * @param end exactly as in the verdict, to the nanosecond
     * @return this
     */
    public DecisionAssert isValidUntil(Instant end) {
        Instant found = authenticated().validUntil();
        if (!found.equals(end)) {
            throw failure("Expected the verdict to be valid until %s, and was until %s", end, found);
        }
        return this;
    }

    /**
     * Rejected for any reason.
     *
     * @return this
     */
    public DecisionAssert isRejected() {
        rejected();
        return this;
    }

    /**
     * Rejected for this reason.
     *
     * @param reason the stable code
     * @return this
     */
    public DecisionAssert isRejectedBecause(RejectionReason reason) {
        Rejected found = rejected();
        if (found.reason() != reason) {
            throw failure("Expected a rejection because of %s, and was because of %s", reason, found);
        }
        return this;
    }

    /**
     * Rejected with this detailed code of the plugin: {@code bad_mac}.
     *
     * @param detail the exact code
     * @return this
     */
    public DecisionAssert hasDetail(String detail) {
        Rejected found = rejected();
        if (!found.detail().equals(detail)) {
            throw failure("Expected a rejection with the detail '%s', and was %s", detail, found);
        }
        return this;
    }

    /**
     * Challenged for another step with this method: {@code otp}.
     *
     * @param method the name in RFC 8176
     * @return this
     */
    public DecisionAssert isChallengedFor(String method) {
        isNotNull();
        if (!(actual instanceof Challenged challenged) || !challenged.method().equals(method)) {
            throw failure("Expected the step '%s' to be wanted, and was %s", method, actual);
        }
        return this;
    }

    /**
     * Abstained: the next plugin decides.
     *
     * @return this
     */
    public DecisionAssert hasAbstained() {
        isNotNull();
        if (!actual.equals(Decision.abstained())) {
            throw failure("Expected an abstention, and was %s", actual);
        }
        return this;
    }

    private Authenticated authenticated() {
        isNotNull();
        if (actual instanceof Authenticated authenticated) {
            return authenticated;
        }
        throw failure("Expected the credentials to be accepted, and was %s", actual);
    }

    private Rejected rejected() {
        isNotNull();
        if (actual instanceof Rejected rejected) {
            return rejected;
        }
        throw failure("Expected the credentials to be rejected, and was %s", actual);
    }
}
