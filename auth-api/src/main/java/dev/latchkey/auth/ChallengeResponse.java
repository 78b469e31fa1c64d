package dev.latchkey.auth;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The caller's response to a {@linkplain Challenged challenge}. The chain shows the response to the asking plugin, and
 * to no other plugin. The creator of the response must make sure that each challenge gets at most one decision.
 * After an {@link AuthUnavailableException}, the creator may send the same response again, but no other response. The chain
 * keeps no record of challenges.
 *
 * @param challenge as the chain returned the challenge
 * @param fields the unchecked fields from the caller, by name; never printed
 */
public record ChallengeResponse(Challenged challenge, Map<String, Secret> fields) implements Credentials {

    /** The only field of a response with one text: a one-time code, a PIN. */
    public static final String CODE = "code";

    /**
     * Copies the fields.
     *
     * @param challenge as the chain returned the challenge
     * @param fields the unchecked fields from the caller, by name
     */
    public ChallengeResponse {
        Objects.requireNonNull(challenge, "challenge");
        fields = Map.copyOf(fields);
    }

    /**
     * A response with one text.
     *
     * @param challenge as the chain returned the challenge
     * @param code becomes the field {@link #CODE}
     */
    public ChallengeResponse(Challenged challenge, Secret code) {
        this(challenge, Map.of(CODE, code));
    }

    /**
     * The field with this name.
     *
     * @param name as in the caller's response, case-sensitive
     * @return empty if the caller did not send the field
     */
    public Optional<Secret> field(String name) {
        return Optional.ofNullable(fields.get(name));
    }

    /**
     * The text of a response with one text.
     *
     * @return the field {@link #CODE}; empty if the caller did not send the field
     */
    public Optional<Secret> code() {
        return field(CODE);
    }

    /** The account of the incomplete login. */
    @Override
    public Optional<String> account() {
        return Optional.of(challenge.soFar().subject().id());
    }

    @Override
    public Collection<Secret> secrets() {
        return fields.values();
    }

    @Override
    public String toString() {
        return "ChallengeResponse[" + challenge + "]";
    }
}
