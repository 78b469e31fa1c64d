package dev.latchkey.auth;

import java.util.Objects;
import java.util.Optional;

/**
 * The response to a {@linkplain Challenged challenge}, such as a one-time code. {@link AuthChain} hands it to the plugin that asked, and to no other.
 * The code that creates it must make sure that each challenge is answered at most once; the chain does not remember.
 *
 * @param challenge the verdict of the chain
 * @param response what the user entered; never printed
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
