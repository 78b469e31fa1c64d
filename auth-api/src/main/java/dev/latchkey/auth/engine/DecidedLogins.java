package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;

/** The plugins' functions after a login. Immutable, and safe for use by any number of threads. */
public final class DecidedLogins {

    private final Roles roles;
    private final SubjectNames names;
    private final PluginCalls calls;
    private final Listeners listeners;
    private final AccountStates states;
    private final OneName oneName;

    DecidedLogins(Roles roles, SubjectNames names, PluginCalls calls, Listeners listeners) {
        this.roles = roles;
        this.names = names;
        this.calls = calls;
        this.listeners = listeners;
        this.states = new AccountStates(this, roles, calls);
        this.oneName = new OneName(roles, names, calls);
    }

    /**
     * The present account of this subject, from its source.
     *
     * @param plugin the source of the login: {@link Authenticated#plugin()}
     * @param subjectId as the service names the subject: {@link Subject#id()} of the login
     * @return empty if the source has no such account, the chain has no such source, the id belongs to another source, or the
     *     service cannot name the account
     * @throws AuthUnavailableException if the source could not look the account up
     * @throws AuthPluginException if the source broke its contract
     */
    public Optional<Verdict> account(String plugin, String subjectId) {
        Objects.requireNonNull(plugin, "plugin");
        Objects.requireNonNull(subjectId, "subjectId");
        LoginSource<?> source = roles.source(plugin).orElse(null);
        String id = names.inPlugin(plugin, subjectId).orElse(null);
        if (source == null || id == null || names.isForeignTo(source, subjectId)) {
            return Optional.empty();
        }
        Optional<Verdict> account = calls.ask(source, asked -> asked.account(id));
        account.ifPresent(found -> calls.answered(source));
        return account.flatMap(found -> inService(source, found));
    }

    /**
     * The present account as of {@link #account}, if it is active.
     *
     * @param plugin the source of the login
     * @param subjectId as the service names the subject
     * @return empty if there is no active account. The subject may have another id than {@code subjectId}: a source may find an
     *     account under several names
     * @throws AuthUnavailableException if the source could not look the account up
     * @throws AuthPluginException if the source broke its contract
     */
    public Optional<Authenticated> active(String plugin, String subjectId) {
        return account(plugin, subjectId)
                .filter(Authenticated.class::isInstance)
                .map(Authenticated.class::cast);
    }

    /**
     * Whether the account of a login still has the stamp of the login. If you issue a lasting credential, ask after the issue:
     * the password may change between its check and the issue.
     *
     * @param login complete, with its {@link Authenticated#plugin() plugin}
     * @return {@code true} for a login without a stamp; {@code false} if the account is gone, not active, or has another id or
     *     stamp
     * @throws AuthUnavailableException if the source could not look the account up
     * @throws AuthPluginException if the source broke its contract
     */
    public boolean isUnchanged(Authenticated login) {
        return login.stamp() == null
                || account(login.plugin(), login.subject().id())
                        .filter(account -> hasStampOf(login, account))
                        .isPresent();
    }

    /**
     * Whether the source knows the account, and the account is not active or has another id or stamp than the login. Always
     * {@code false} for a login without a stamp.
     */
    boolean hasChanged(Authenticated login) {
        return login.stamp() != null
                && account(login.plugin(), login.subject().id())
                        .filter(account -> !hasStampOf(login, account))
                        .isPresent();
    }

    private static boolean hasStampOf(Authenticated login, Verdict account) {
        Secret checked = login.stamp();
        return checked != null
                && account instanceof Authenticated present
                && present.stamp() != null
                && present.subject().id().equals(login.subject().id())
                && checked.matches(present.stamp());
    }

    /**
     * A digest of the account's state in all sources: active or not, with its id, its stamp and its creation. For a change that
     * one request begins and a later request confirms. Equal states at both requests mean that neither the credentials nor the
     * account changed in the meantime, as far as the sources can look accounts up.
     *
     * @param subjectId as the service names the subject
     * @return 32 bytes; a secret, because a stamp may be guessed from its digest
     * @throws AuthUnavailableException if a source could not look the account up
     * @throws AuthPluginException if a source broke its contract
     */
    public Secret stateOf(String subjectId) {
        return states.of(Objects.requireNonNull(subjectId, "subjectId"));
    }

    /**
     * Whether a proof with these factors is enough now: the account was not revoked since the proof, and the proof has passed every
     * step that the account needs. Since the proof, the account may have got a further step.
     *
     * @param subjectId as the service names the subject
     * @param shown the factors of the proof
     * @param context of the present request
     * @return {@code false} after a revocation, and if a step wants a method that is not among the factors
     * @throws AuthUnavailableException if a plugin could not decide
     * @throws AuthPluginException if a plugin broke its contract
     */
    public boolean areEnough(String subjectId, Factors shown, RequestContext context) {
        return !isRevoked(subjectId, shown.at()) && states.areEnough(subjectId, shown, context);
    }

    /**
     * Whether {@link AuthChain#revokeAll}, at this node or another node, has revoked the subject's credentials of this time.
     *
     * @param subjectId as the service names the subject
     * @param provedAt the start of a proof
     * @return whether any plugin knows such a revocation
     * @throws AuthUnavailableException if a plugin could not read its record; all other plugins were asked anyway
     * @throws AuthPluginException if a plugin broke its contract; all other plugins were asked anyway
     */
    public boolean isRevoked(String subjectId, Instant provedAt) {
        Objects.requireNonNull(provedAt, "provedAt");
        return anyRevoker(subjectId, (plugin, id) -> plugin.isRevoked(id, provedAt));
    }

    /** Empty for an account that the service cannot name. Such an account has no login either. */
    private Optional<Verdict> inService(LoginSource<?> source, Verdict account) {
        return account instanceof Authenticated state
                ? Optional.ofNullable(names.inService(source, state.subject())).map(state::withSubject)
                : Optional.of(account);
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
     * The sources that know this account, in order. With shared subjects there may be several. Registered credentials are no
     * accounts.
     *
     * @param subjectId as the service names the subject
     * @return the names of the plugins; empty also if no source looks accounts up
     * @throws AuthUnavailableException if a source could not look the account up
     * @throws AuthPluginException if a source broke its contract
     */
    public List<String> sourcesThatKnow(String subjectId) {
        return roles.sources().stream()
                .filter(source -> !SubjectNames.isRegistered(source)
                        && account(source.name(), subjectId).isPresent())
                .map(LoginSource::name)
                .toList();
    }

    /**
     * Requires that the sources answer with one id for the account of this login. Rows about an account, such as codes and passkeys,
     * belong to its exact id. If a user store ignores case and a source answers with the typed name, a login in another case would
     * miss these rows. Therefore ask before the first row. Each source looks the account up by some twenty names.
     *
     * @param login complete, with its {@link Authenticated#plugin() plugin}
     * @throws IllegalArgumentException if the chain has no source with the name of this plugin
     * @throws AuthPluginException if a source finds the account by another spelling and answers with another id. Also if the source of
     *     the login does not find the account by its id, and does not declare {@link LoginSource#hasStoredNames}. Also if a source broke its
     *     contract in another way
     * @throws AuthUnavailableException if a source could not look the account up, or the account changed meanwhile
     */
    public void requireOneName(Authenticated login) {
        oneName.require(Objects.requireNonNull(login, "login"));
    }

    /**
     * The ids of the active accounts that the sources find by this name. A login outside of the chain may have another spelling of an
     * account's id.
     *
     * @param name of a login, a valid subject id
     * @return empty if no source finds an active account; several ids are possible with several sources
     * @throws AuthUnavailableException if a source could not look the account up
     * @throws AuthPluginException if a source broke its contract
     */
    public List<String> idsOf(String name) {
        return roles.sources().stream()
                .filter(source -> !SubjectNames.isRegistered(source))
                .flatMap(source -> active(source.name(), name).stream())
                .map(account -> account.subject().id())
                .distinct()
                .toList();
    }

    /**
     * Remembers the login's device, by the plugin of the passed step. No other plugin is asked.
     *
     * @param plugin the plugin of the step: {@link Challenged#plugin()}
     * @param login complete
     * @param context of the request of the login
     * @return empty if the plugin remembers no devices, or not this device, and if the chain has no such step
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
        boolean revoked = calls.askAll(
                roles.revokers(), plugin -> plugin.revoke(credentials), PluginCalls.secretsOf(credentials));
        if (revoked) {
            listeners.revoked(credentials);
        }
        return revoked;
    }

    /** {@link AuthChain#revokeAll}. */
    boolean revokeAll(String subjectId, Instant notBefore) {
        Objects.requireNonNull(notBefore, "notBefore");
        boolean revoked = anyRevoker(subjectId, (plugin, id) -> plugin.revokeAll(id, notBefore));
        if (revoked) {
            listeners.subjectRevoked(subjectId);
        }
        return revoked;
    }

    /** Each plugin gets its own id of the subject. A plugin with a prefix is asked only about ids with this prefix. */
    private boolean anyRevoker(String subjectId, BiPredicate<CredentialsRevoker, String> question) {
        Objects.requireNonNull(subjectId, "subjectId");
        return calls.askAll(
                roles.revokers(),
                plugin -> names.inPlugin(plugin.name(), subjectId)
                        .map(id -> question.test(plugin, id))
                        .orElse(false),
                message -> false);
    }
}
