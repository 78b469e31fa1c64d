package dev.latchkey.auth.spring.settings;

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
 */
public record OldTokensProperties(
        @Nullable String authoritiesClaim,
        @DefaultValue("") String authorityPrefix,
        @DefaultValue("false") boolean lookUpAccounts) {}
