package dev.latchkey.auth.engine;

import dev.latchkey.auth.Access;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.PermissionSource;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** The plugins' functions after a login. Immutable, and safe for use by any number of threads. */
public final class DecidedLogins {

    private final Roles roles;
    private final SubjectNames names;
    private final PluginCalls calls;
    private final Listeners listeners;

    DecidedLogins(ChainParts chain) {
        this.roles = chain.roles();
        this.names = chain.names();
        this.calls = chain.calls();
        this.listeners = chain.listeners();
    }

    /**
     * The present account of this subject, from its source.
     *
     * @param plugin the source of the login: {@link Authenticated#plugin()}
     * @param subjectId as the service names the subject: {@link Subject#id()} of the login
     * @return empty if the source has no such account, and if the chain has no such source
     * @throws AuthUnavailableException if the source could not look the account up
     * @throws AuthPluginException if the source broke its contract
     */
    public Optional<Verdict> account(String plugin, String subjectId) {
        Objects.requireNonNull(plugin, "plugin");
        Objects.requireNonNull(subjectId, "subjectId");
        LoginSource<?> source = roles.source(plugin).orElse(null);
        String id = names.inPlugin(plugin, subjectId).orElse(null);
        if (source == null || id == null || names.isOfOthersThan(source, subjectId)) {
            return Optional.empty();
        }
        Optional<Verdict> account = calls.ask(source, asked -> asked.account(id));
        account.ifPresent(found -> calls.answered(source));
        return account.map(found -> inService(source, found));
    }

    /**
     * Whether the account of a login still has the stamp of the login. Asked after the issue of a lasting credential, because the
     * password may change between its check and the issue.
     *
     * @param login complete, with its {@link Authenticated#plugin() plugin}
     * @return {@code true} for a login without a stamp; {@code false} if the account is gone, not active, or has another stamp
     * @throws AuthUnavailableException if the source could not look the account up
     * @throws AuthPluginException if the source broke its contract
     */
    public boolean isUnchanged(Authenticated login) {
        Secret checked = login.stamp();
        return checked == null
                || account(login.plugin(), login.subject().id())
                        .filter(Authenticated.class::isInstance)
                        .map(Authenticated.class::cast)
                        .filter(account ->
                                account.subject().id().equals(login.subject().id()))
                        .map(Authenticated::stamp)
                        .filter(checked::matches)
                        .isPresent();
    }

    private Verdict inService(LoginSource<?> source, Verdict account) {
        Subject named = account instanceof Authenticated state ? names.inService(source, state.subject()) : null;
        return named == null ? account : ((Authenticated) account).withSubject(named);
    }

    /**
     * The plugin of a subject's account, as far as the id tells.
     *
     * @param subjectId as the service names the subject
     * @return empty if several plugins, or none, may have this account
     */
    public Optional<String> sourceOf(String subjectId) {
        return names.sourceOf(roles.sources(), subjectId);
    }

    /**
     * Remembers the login's device, by the plugin of the passed step. No other plugin is asked.
     *
     * @param plugin the plugin of the step: {@link Challenged#plugin()}
     * @param login complete
     * @param context of the request of the login
     * @return empty if the plugin remembers no devices, or not this device
     * @throws AuthUnavailableException if the plugin could not record the device
     * @throws AuthPluginException if the plugin broke its contract
     */
    public Optional<RememberedDevice> remember(String plugin, Authenticated login, RequestContext context) {
        Objects.requireNonNull(login, "login");
        Objects.requireNonNull(context, "context");
        return roles.step(plugin).flatMap(step -> calls.ask(step, asked -> asked.remember(login, context)));
    }

    /** {@link AuthChain#authorize}: the decision of the first source that does not abstain; denied if all sources abstain. */
    boolean authorize(Subject subject, Permission permission) {
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(permission, "permission");
        for (PermissionSource source : roles.permissions()) {
            Access access = accessBy(source, subject, permission);
            if (access != Access.ABSTAINED) {
                calls.answered(source);
                listeners.accessDecided(source.name(), subject, permission, access == Access.GRANTED);
                return access == Access.GRANTED;
            }
        }
        listeners.accessDecided("", subject, permission, false);
        return false;
    }

    private Access accessBy(PermissionSource source, Subject subject, Permission permission) {
        try {
            return calls.ask(source, asked -> asked.authorize(subject, permission));
        } catch (AuthUnavailableException | AuthPluginException | Error e) {
            listeners.accessUndecided(source.name(), subject, permission, e);
            throw e;
        }
    }

    /** {@link AuthChain#revoke}. */
    boolean revoke(Credentials credentials) {
        Objects.requireNonNull(credentials, "credentials");
        boolean revoked = calls.askAll(roles.revokers(), plugin -> plugin.revoke(credentials));
        if (revoked) {
            listeners.revoked(credentials);
        }
        return revoked;
    }

    /** {@link AuthChain#revokeAll}. */
    boolean revokeAll(String subjectId, Instant notBefore) {
        Objects.requireNonNull(subjectId, "subjectId");
        Objects.requireNonNull(notBefore, "notBefore");
        boolean revoked = calls.askAll(
                roles.revokers(),
                plugin -> names.inPlugin(plugin.name(), subjectId)
                        .map(id -> plugin.revokeAll(id, notBefore))
                        .orElse(false));
        if (revoked) {
            listeners.subjectRevoked(subjectId);
        }
        return revoked;
    }
}
