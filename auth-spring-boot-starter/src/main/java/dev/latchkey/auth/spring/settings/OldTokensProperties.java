package dev.latchkey.auth.spring.settings;

import static dev.latchkey.auth.spring.settings.PropertyRules.requireBetween;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The differences of tokens from before Latchkey, under {@code latchkey.jwt.old-tokens}. The tokens are verified like all other
 * tokens.
 *
 * @param authoritiesClaim the claim with the authorities, read if a token has no claim authorities: a list, or a text with spaces
 *     or commas
 * @param authorityPrefix the text before each authority of this claim
 * @param lookUpAccounts whether the account is looked up for a token without any claim for authorities
 * @param accountsKeptFor how long such an account is cached; a change of the account takes effect after this time
 */
public record OldTokensProperties(
        @Nullable String authoritiesClaim,
        @DefaultValue("") String authorityPrefix,
        @DefaultValue("false") boolean lookUpAccounts,
        @DefaultValue("10s") Duration accountsKeptFor) {

    /**
     * Rejects a time out of range.
     *
     * @param authoritiesClaim null if old tokens have none
     * @param authorityPrefix empty by default
     * @param lookUpAccounts false by default
     * @param accountsKeptFor at most 15 minutes
     * @throws LatchkeyConfigurationException if a value is out of range; the message names the property
     */
    public OldTokensProperties {
        requireBetween(
                "latchkey.jwt.old-tokens.accounts-kept-for", accountsKeptFor, Duration.ZERO, Duration.ofMinutes(15));
    }
}
