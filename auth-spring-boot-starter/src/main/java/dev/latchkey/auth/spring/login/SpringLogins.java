package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.http.FactorAuthorities;
import dev.latchkey.auth.spring.http.LoginTime;
import dev.latchkey.auth.spring.plugin.LatchkeyAuthentication;
import dev.latchkey.auth.spring.plugin.OutsideSources;
import dev.latchkey.auth.spring.plugin.Subjects;
import dev.latchkey.auth.spring.plugin.UserDetailsPlugin;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.Transient;
import org.springframework.security.core.userdetails.UserDetails;

/** The account and the proofs of an {@link Authentication} of Spring Security. Safe for use by any number of threads. */
record SpringLogins(AuthChain plugins, InstantSource clock) {

    /** Spring Security's passkeys, since 7.0 in a module of their own. The login has the name of the account. */
    private static final String PASSKEY =
            "org.springframework.security.web.webauthn.authentication.WebAuthnAuthentication";

    /**
     * A login with a fresh lookup of the account at each use, because the account may be disabled by now.
     *
     * @param at the start of the login, or earlier
     */
    record Found(Supplier<Optional<Authenticated>> account, Set<String> proved, Instant at) {

        Optional<Authenticated> now() {
            return account.get();
        }
    }

    Found find(Authentication login, TokenOptions options) {
        requireComplete(login);
        LoginTime time = LoginTime.here(clock);
        Factors given = factorsOf(login, time);
        Instant at = given.methods().isEmpty() ? time.ofLogin() : AccessTokens.earliest(given.at(), time.begun());
        Proof proof = new Proof(stampOf(login), at, at.isBefore(time.begun()), true);
        Factors factors = given.and(options.proved(), given.at());
        // Of two methods, one may be a second step. A single method is the first step, whatever its name.
        Set<String> proved = given.methods().size() > 1 ? new HashSet<>(factors.methods()) : options.proved();
        Supplier<Optional<Authenticated>> subject = subjectOf(login, options, proof);
        return new Found(() -> subject.get().map(decided -> decided.withFactors(factors)), proved, at);
    }

    /** Whether another account acts: tokens for the subject alone would outlast the actor. */
    boolean isOfAnActor(Authentication login) {
        return new Subjects(plugins).of(login).flatMap(Subject::actor).isPresent();
    }

    /**
     * A login of a plugin keeps its factors: the name of an authority has fewer characters than the name of a method. An authority
     * without a time gets the earliest possible time.
     */
    private static Factors factorsOf(Authentication login, LoginTime time) {
        return login instanceof LatchkeyAuthentication decided
                        && !decided.factors().methods().isEmpty()
                ? decided.factors()
                : FactorAuthorities.in(login, time.ofLogin());
    }

    /** A hash in the account of the login is the hash of the check. Spring Security usually erases this hash after the check. */
    private static @Nullable Secret stampOf(Authentication login) {
        if (login instanceof LatchkeyAuthentication decided) {
            return decided.stamp().orElse(null);
        }
        String hash = login.getPrincipal() instanceof UserDetails account ? account.getPassword() : null;
        return hash == null || hash.isEmpty() ? null : Secret.of(hash);
    }

    /**
     * The proof of a login.
     *
     * @param stamp of the account at the proof; null if not known
     * @param at the start of the login, or earlier
     * @param isOld whether a session has kept the login
     * @param isOfOnePlugin whether the plugin of the login is known
     */
    private record Proof(@Nullable Secret stamp, Instant at, boolean isOld, boolean isOfOnePlugin) {

        Proof ofAnyPlugin() {
            return new Proof(stamp, at, isOld, false);
        }

        /** Whether the account is still the account of this login: neither made anew, nor with another password. */
        boolean isOf(Authenticated account) {
            boolean isYounger = isOld && account.isYoungerThan(at);
            return !isYounger && (stamp == null || account.stamp() == null || stamp.matches(account.stamp()));
        }

        /** A refresh token belongs to the present password. An old login may be of an earlier password. */
        boolean mayBeProlonged() {
            return stamp != null || (isOfOnePlugin && !isOld);
        }
    }

    private static void requireComplete(Authentication login) {
        if (!login.isAuthenticated() || login instanceof AnonymousAuthenticationToken) {
            throw new IllegalArgumentException("Tokens are issued for a successful login, and nobody has logged in");
        }
        if (login.getClass().isAnnotationPresent(Transient.class) || Subjects.hasATokenAsCredentials(login)) {
            throw noLogin();
        }
    }

    static IllegalArgumentException noLogin() {
        return new IllegalArgumentException(
                "The request was authenticated by a token or a key, which is no login: a token that issues the next one would"
                        + " never end");
    }

    private Supplier<Optional<Authenticated>> subjectOf(Authentication login, TokenOptions options, Proof proof) {
        if (options.account().isPresent()) {
            String id = options.account().get();
            Optional<String> plugin = pluginOf(id);
            return () -> plugin.flatMap(name -> accountOf(name, id));
        }
        if (login instanceof LatchkeyAuthentication decided) {
            return () -> accountOf(decided, proof);
        }
        Optional<OutsideSources.Name> outside = OutsideSources.nameOf(login);
        if (outside.isPresent()) {
            OutsideSources.Name name = outside.get();
            Optional<Authenticated> named = plugins.outsideLogins()
                    .nameOf(name.source(), name.id())
                    .map(id -> Authenticated.as(Subject.of(id).withAuthorities(authoritiesOf(login))));
            return () -> named.filter(account -> !account.subject().id().equals(name.id()) || !isRejected(name.id()));
        }
        return localAccount(login, proof);
    }

    /**
     * The account of a plugin's login. The plugin is unknown if several plugins share their subjects and the login has no stamp.
     * The first plugin that knows the account then decides about the state of the account. The stamp of this plugin may belong to
     * another password.
     */
    private Optional<Authenticated> accountOf(LatchkeyAuthentication login, Proof proof) {
        Subject subject = login.getPrincipal();
        Optional<String> plugin =
                login.plugin().or(() -> plugins.decidedLogins().sourceOf(subject.id()));
        if (plugin.isPresent()) {
            return accountOf(plugin.get(), subject, proof);
        }
        List<String> sources = plugins.decidedLogins().sourcesThatKnow(subject.id());
        return sources.isEmpty()
                ? Optional.of(Authenticated.as(subject))
                : accountOf(sources.get(0), subject, proof.ofAnyPlugin());
    }

    private Supplier<Optional<Authenticated>> localAccount(Authentication login, Proof proof) {
        boolean isLocal = login.getPrincipal() instanceof UserDetails
                || login instanceof UsernamePasswordAuthenticationToken
                || login.getClass().getName().equals(PASSKEY);
        if (!isLocal) {
            throw new IllegalArgumentException(
                    "Whose login a " + login.getClass().getName()
                            + " is cannot be told from its type; write TokenOptions.defaults().asAccount(…)");
        }
        if (!Subject.isId(login.getName()) || plugins.outsideLogins().isForeignName(login.getName())) {
            return Optional::empty;
        }
        Subject subject = Subject.of(login.getName()).withAuthorities(authoritiesOf(login));
        return () -> accountOf(UserDetailsPlugin.NAME, subject, proof);
    }

    /** Whether the service has a local account with this id that may not log in. Asked if local and outside ids are shared. */
    private boolean isRejected(String id) {
        return plugins.pluginNames().contains(UserDetailsPlugin.NAME)
                && plugins.decidedLogins()
                        .account(UserDetailsPlugin.NAME, id)
                        .filter(state -> !(state instanceof Authenticated))
                        .isPresent();
    }

    /** The plugin of an account that the service names. Empty for a name of an outside source: no plugin can look it up. */
    private Optional<String> pluginOf(String id) {
        boolean isForeign = plugins.outsideLogins().isForeignName(id);
        if (!isForeign && plugins.pluginNames().contains(UserDetailsPlugin.NAME)) {
            return Optional.of(UserDetailsPlugin.NAME);
        }
        Optional<String> source = plugins.decidedLogins().sourceOf(id);
        if (source.isEmpty() && !isForeign) {
            throw new IllegalArgumentException("The account '" + id
                    + "' is not of exactly one plugin with accounts; the plugins are " + plugins.pluginNames());
        }
        return source;
    }

    /** The account with its own authorities. */
    private Optional<Authenticated> accountOf(String plugin, String id) {
        return plugins.decidedLogins().active(plugin, id).map(account -> account.decidedBy(plugin));
    }

    /**
     * The account with the authorities of the login. If these differ from the account's authorities, there is no stamp, because a
     * refresh would give the account's authorities. Without {@link Proof#mayBeProlonged} there is no stamp either.
     */
    private Optional<Authenticated> accountOf(String plugin, Subject login, Proof proof) {
        return accountOf(plugin, login.id()).filter(proof::isOf).map(account -> {
            if (proof.mayBeProlonged() && account.subject().authorities().equals(login.authorities())) {
                return account;
            }
            Authenticated other = Authenticated.as(account.subject().withAuthorities(login.authorities()))
                    .decidedBy(plugin);
            return account.details() == null ? other : other.withDetails(account.details());
        });
    }

    /** The authorities without the factors, because a factor is a proof. */
    private static Set<String> authoritiesOf(Authentication login) {
        return FactorAuthorities.names(login.getAuthorities())
                .filter(authority -> !FactorAuthorities.isOne(authority))
                .collect(Collectors.toSet());
    }
}
