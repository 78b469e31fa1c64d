package dev.latchkey.auth;

import java.util.Objects;
import java.util.Optional;

/**
 * What somebody shows whom a plugin has {@link Challenged challenged}: a one-time code, say. {@link AuthChain} hands it to that plugin and
 * to no other. Who makes one sees to it that a challenge is answered once: here nothing is remembered.
 *
 * @param challenge as the chain answered it
 * @param response what was shown; never printed
 */
public record ChallengeResponse(Challenged challenge, Secret response) implements Credentials {

    /**
     * A response as somebody sent it; nothing of it is checked.
     *
     * @param challenge as the chain answered it
     * @param response what was shown; never printed
     */
    public ChallengeResponse {
        Objects.requireNonNull(challenge, "challenge");
        Objects.requireNonNull(response, "response");
    }

    /** The account whose first step was right. */
    @Override
    public Optional<String> account() {
        return Optional.of(challenge.soFar().subject().id());
    }
}
