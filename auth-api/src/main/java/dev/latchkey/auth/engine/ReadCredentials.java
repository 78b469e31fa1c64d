package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.GrantReader;
import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Asks the plugins of an {@link AuthChain} to read their own kinds of credentials from a request. Immutable, and safe
 * for use by any number of threads.
 */
public final class ReadCredentials {

    private final Roles roles;
    private final PluginCalls calls;

    ReadCredentials(Roles roles, PluginCalls calls) {
        this.roles = roles;
        this.calls = calls;
    }

    /**
     * The credentials that plugins read from this request by {@link CredentialsReader}, in the order of the plugins.
     *
     * @param context the request
     * @return the credentials of each plugin, unchecked; unmodifiable
     * @throws AuthPluginException if a plugin broke its contract
     */
    public List<Credentials> of(RequestContext context) {
        if (roles.readers().isEmpty()) {
            return List.of();
        }
        List<Credentials> found = new ArrayList<>(1);
        for (CredentialsReader reader : roles.readers()) {
            calls.askWithUnknownSecrets(reader, asked -> asked.read(context)).ifPresent(found::add);
        }
        return List.copyOf(found);
    }

    /**
     * Whether a plugin reads credentials from this request that need no CSRF token.
     *
     * @param context the request
     * @return true for any such credentials, valid or not
     * @throws AuthPluginException if a plugin broke its contract
     */
    public boolean needNoCsrfToken(RequestContext context) {
        return roles.readers().stream()
                .anyMatch(reader -> calls.askWithUnknownSecrets(
                        reader,
                        asked -> asked.needsNoCsrfToken() && asked.read(context).isPresent()));
    }

    /**
     * The credentials from this token request, read by a {@link GrantReader}.
     *
     * @param grantType the unchanged value of {@code grant_type}
     * @param fields of the token request, by name
     * @param context of the token request
     * @return the unchecked credentials; empty if no plugin reads this grant type, or if the grant is malformed
     * @throws AuthUnavailableException if the plugin could not read the grant
     * @throws AuthPluginException if the plugin broke its contract
     */
    public Optional<Credentials> of(String grantType, Map<String, Secret> fields, RequestContext context) {
        GrantReader reader = roles.grantReaders().get(grantType);
        if (reader == null) {
            return Optional.empty();
        }
        Optional<Credentials> read =
                calls.ask(reader, asked -> asked.read(grantType, fields, context), PluginCalls.anyOf(fields::values));
        if (read.isPresent() && read.get() instanceof IssuedCredentials issued) {
            // The token endpoint rejects IssuedCredentials. Without this exception, each login would fail, and the log
            // would not show the reason.
            throw new AuthPluginException(
                    reader.name(),
                    "read IssuedCredentials from a grant: " + issued.getClass().getName());
        }
        return read;
    }

    /**
     * The extension grants that plugins read.
     *
     * @return values of {@code grant_type}; unmodifiable
     */
    public Set<String> grantTypes() {
        return roles.grantReaders().keySet();
    }

    /**
     * The challenges of the plugins that read credentials from requests, for {@code WWW-Authenticate}.
     *
     * @return the challenges in the order of the plugins; unmodifiable
     * @throws AuthPluginException if a plugin broke its contract
     */
    public List<String> challenges() {
        return roles.readers().stream()
                .flatMap(reader -> calls.ask(reader, CredentialsReader::challenge).stream())
                .toList();
    }
}
