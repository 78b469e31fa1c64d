package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.Subject;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tokens of a login or a refresh. A record would print its components. Immutable. */
public final class IssuedTokens implements LoginOutcome {

    private final Subject subject;
    private final AccessToken access;
    private final @Nullable RefreshToken refresh;
    private final @Nullable RememberedDevice device;
    private final Map<String, Object> answer;

    private IssuedTokens(
            Subject subject,
            AccessToken access,
            @Nullable RefreshToken refresh,
            @Nullable RememberedDevice device,
            Map<String, Object> answer) {
        this.subject = subject;
        this.access = access;
        this.refresh = refresh;
        this.device = device;
        this.answer = answer;
    }

    static IssuedTokens of(Subject subject, AccessToken access, @Nullable RefreshToken refresh, TokenOptions options) {
        IssuedTokens tokens = new IssuedTokens(subject, access, refresh, null, Map.of());
        return new IssuedTokens(subject, access, refresh, null, Map.copyOf(options.answerTo(tokens)));
    }

    IssuedTokens withDevice(RememberedDevice remembered) {
        return new IssuedTokens(subject, access, refresh, remembered, answer);
    }

    /**
     * The subject, from the deciding plugin.
     *
     * @return with authorities and claims
     */
    public Subject subject() {
        return subject;
    }

    /**
     * The access token.
     *
     * @return new with each login and refresh
     */
    public AccessToken access() {
        return access;
    }

    /**
     * The refresh token, valid once.
     *
     * @return empty if refresh tokens are off, or this session cannot be refreshed
     */
    public Optional<RefreshToken> refresh() {
        return Optional.ofNullable(refresh);
    }

    /**
     * The service's own fields of the answer: {@link TokenOptions#withAnswer}.
     *
     * @return by name; unmodifiable
     */
    public Map<String, Object> answer() {
        return answer;
    }

    /**
     * The token of a remembered device, for the next login in place of a second step.
     *
     * @return empty if no device is remembered
     */
    public Optional<RememberedDevice> device() {
        return Optional.ofNullable(device);
    }
}
