package dev.latchkey.auth.spring.http;

import java.time.Duration;
import java.util.Optional;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationDeniedException;

/** Whether the proof of a login is recent enough. Otherwise the denial tells the client the maximum age (RFC 9470 section 3). */
public final class ProofDecision extends AuthorizationDecision {

    private final Duration most;

    /**
     * A decision of a rule.
     *
     * @param granted whether the proof is recent enough
     * @param most the longest time since the proof
     */
    public ProofDecision(boolean granted, Duration most) {
        super(granted);
        this.most = most;
    }

    /**
     * The answer to a request that is denied because the proof is too old.
     *
     * @param denied the exception of Spring Security
     * @return 401 with {@code max_age}; empty for a denial of any other kind
     */
    public static Optional<Answer> answerTo(Throwable denied) {
        return denied instanceof AuthorizationDeniedException exception
                        && exception.getAuthorizationResult() instanceof ProofDecision decision
                ? Optional.of(Answer.of(Problem.PROOF_TOO_OLD)
                        .with(
                                "WWW-Authenticate",
                                "Bearer realm=\"Realm\", error=\"insufficient_user_authentication\", max_age=\""
                                        + decision.most.toSeconds() + "\""))
                : Optional.empty();
    }
}
