package dev.latchkey.auth;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The caller's response to a {@linkplain Challenged challenge}. The chain shows the response to the plugin that asked, and to no other. The code that
 * creates a response makes sure that each challenge is answered at most once; the chain does not remember.
 *
 * @param challenge as the chain handed it out
 * @param fields what the caller sent, by name; unchecked, and never printed
 */
public record ChallengeResponse(Challenged challenge, Map<String, Secret> fields) implements Credentials {

    /** The field of a response that is one text: a one-time code, a PIN. */
    public static final String CODE = "code";

    /**
     * @param challenge as the chain handed it out
     * @param fields what the caller sent, by name; unchecked, and never printed
     */
    public ChallengeResponse {
        Objects.requireNonNull(challenge, "challenge");
        fields = Map.copyOf(fields);
    }

    /**
     * A response that is one text.
     *
     * @param challenge as the chain handed it out
     * @param code becomes the field {@link #CODE}
     */
    public ChallengeResponse(Challenged challenge, Secret code) {
        this(challenge, Map.of(CODE, code));
    }

    /**
     * The field of this name.
     *
     * @param name as the caller sent it; case matters
     * @return empty where the caller sent no such field
     */
    public Optional<Secret> field(String name) {
        return Optional.ofNullable(fields.get(name));
    }

    /**
     * The text of a response that is one text.
     *
     * @return the field {@link #CODE}; empty where the caller sent none
     */
    public Optional<Secret> code() {
        return field(CODE);
    }

    /** The account of the login so far. */
    @Override
    public Optional<String> account() {
        return Optional.of(challenge.soFar().subject().id());
    }

    @Override
    public String toString() {
        return "ChallengeResponse[" + challenge + "]";
    }
}
