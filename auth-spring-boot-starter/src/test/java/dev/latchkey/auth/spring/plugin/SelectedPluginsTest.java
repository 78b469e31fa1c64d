package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.PluginHost;
import dev.latchkey.auth.engine.RoleDecorator;
import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.AudibleLog;
import dev.latchkey.auth.spring.login.LoginParts;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The chain of plugin beans: their order, the names of their subjects, and mistakes that stop the start. */
@ExtendWith({AudibleLog.class, OutputCaptureExtension.class})
class SelectedPluginsTest {

    private final Map<String, Map<String, String>> given = new LinkedHashMap<>();

    /** The plugins, in uniform spelling, whose settings a properties class reads. */
    private Set<String> ofOwnClass = Set.of();

    private boolean hasAccounts;

    @Test
    void beans_areAskedInTheirOrder_unlessNamesGiveAnother(CapturedOutput log) {
        assertThat(chain(List.of(), source("b"), source("a")).pluginNames()).containsExactly("b", "a");
        assertThat(log).contains("Auth plugins, in order: [b, a]").doesNotContain("that are not asked");
        assertThat(chain(List.of("latchkey.plugins=a,b"), source("b"), source("a"))
                        .pluginNames())
                .containsExactly("a", "b");
        assertThat(chain(List.of("latchkey.plugins=a"), source("b"), source("a"))
                        .pluginNames())
                .containsExactly("a");
        assertThat(log).contains("not asked, since latchkey.plugins does not name them: [b]");
    }

    @Test
    void serviceWithoutPlugins_isTold_ifItHasALoginEndpoint(CapturedOutput log) {
        assertThat(chain(List.of()).pluginNames()).isEmpty();
        assertThat(log).contains("so the login endpoint refuses everybody");
    }

    @Test
    void serviceWithoutPluginsAndEndpoint_isNotTold(CapturedOutput log) {
        chain(List.of("latchkey.login.enabled=false", "latchkey.login.refresh.enabled=false"));
        assertThat(log.getAll()).doesNotContain("refuses everybody");
    }

    @Test
    void settingsOfAPluginThatIsNotAsked_areTold_andThoseOfAnAskedOneAreNot(CapturedOutput log) {
        given.put("a", Map.of("max-concurrent", "3"));
        given.put("b", Map.of("max-concurrent", "3"));
        chain(List.of("latchkey.plugins=a"), source("a"), source("b"));
        assertThat(log)
                .contains("latchkey.plugin.b.* is set, and no auth plugin of that name is asked")
                .doesNotContain("latchkey.plugin.a.* is set");
    }

    @Test
    void pluginThatIsSwitchedOff_isNotMissingInTheList(CapturedOutput log) {
        given.put("b", Map.of("enabled", "false"));
        chain(List.of("latchkey.plugins=a"), source("a"), source("b"), source("c"));
        assertThat(log).contains("since latchkey.plugins does not name them: [c]");
    }

    @Test
    void pluginThatIsSwitchedOff_isNoWarning(CapturedOutput log) {
        ofOwnClass = Set.of("apikeys", "codes");
        given.put("apikeys", Map.of("Enabled", "FALSE", "key-file", "/run/secrets/keys.key"));
        given.put("codes", Map.of("enabled", "true"));
        chain(List.of(), source("a"));
        assertThat(log)
                .contains("latchkey.plugin.apikeys.enabled is false, and no auth plugin of that name is asked")
                .doesNotContain("latchkey.plugin.apikeys.* is set")
                .contains("latchkey.plugin.codes.* is set");
    }

    @Test
    void settingsOfAMisspeltName_stopTheStart() {
        given.put("usres", Map.of("max-concurrent", "3", "enabled", "false"));
        refused(
                List.of(),
                "latchkey.plugin.usres.enabled, latchkey.plugin.usres.max-concurrent: no plugin has this name",
                source("a"));
    }

    /** One configuration may be for several services. */
    @Test
    void settingsOfAPluginThatThisServiceDoesNotHave_areNoMistake_ifItsJarKnowsTheName(CapturedOutput log) {
        given.put("users", Map.of("max-concurrent", "3"));
        given.put("emea", Map.of("type", "a", "max-concurrent", "3"));
        assertThat(chain(List.of(), source("a")).pluginNames()).containsExactly("a");
        assertThat(log).contains("latchkey.plugin.users.* is set", "latchkey.plugin.emea.* is set");
    }

    /** Kubernetes sets variables such as {@code LATCHKEY_PLUGIN_SERVICE_HOST} for a service with this name. */
    @Test
    void settingsOfAnotherNameThatNoPluginHas_areTold(CapturedOutput log) {
        given.put("service", Map.of("host", "10.0.0.7"));
        chain(List.of(), source("a"));
        assertThat(log).contains("latchkey.plugin.service.* is set, and no auth plugin of that name is asked");
    }

    @Test
    void emptyName_stopsTheStart() {
        refused(List.of("latchkey.plugins=a,,b"), "has an empty entry", source("a"), source("b"));
    }

    @Test
    void pluginOfTokensWithoutAKey_stopsTheStart_unlessTheNameIsOfAnotherType() {
        refused(List.of("latchkey.plugins=jwt"), "there is no signing key");
        given.put("jwt", Map.of("type", "other"));
        assertThatThrownBy(() -> chain(List.of("latchkey.plugins=jwt")))
                .isNotInstanceOf(LatchkeyConfigurationException.class)
                .hasMessageContaining("jwt");
        given.clear();
        assertThat(chain(List.of("latchkey.plugins=jwt"), tokens("jwt")).pluginNames())
                .containsExactly("jwt");
    }

    @Test
    void stepThatIsNotNamed_stopsTheStart_unlessItIsUnusedOnPurpose() {
        refused(
                List.of("latchkey.plugins=a"),
                "The service defines the login steps [codes], and latchkey.plugins does not name them",
                source("a"),
                new Step("codes"));
        assertThat(chain(List.of("latchkey.plugins=a", "latchkey.unused-steps=codes"), source("a"), new Step("codes"))
                        .pluginNames())
                .containsExactly("a");
        assertThat(chain(List.of("latchkey.plugins=a,codes"), source("a"), new Step("codes"))
                        .pluginNames())
                .containsExactly("a", "codes");
    }

    @Test
    void firstAccounts_keepTheirIds_andTheOthersGetTheNameOfTheirPlugin(CapturedOutput log) {
        AuthChain chain = chain(List.of(), source("a"), source("b"));
        assertThat(idOf(chain, "user-of-a")).isEqualTo("user-of-a");
        assertThat(idOf(chain, "user-of-b")).isEqualTo("b:user-of-b");
        assertThat(log).contains("Subjects of the plugin b are named b:id").doesNotContain("named a:id");
    }

    @Test
    void pluginWithoutAccounts_isNotTheFirstSource() {
        AuthChain chain = chain(List.of(), new Step("codes"), source("a"), source("b"));
        assertThat(idOf(chain, "user-of-a")).isEqualTo("user-of-a");
        assertThat(idOf(chain, "user-of-b")).isEqualTo("b:user-of-b");
    }

    @Test
    void settingsOfABean_areThoseOfItsPropertiesClass_orUnknown() {
        given.put("a-b", Map.of("url", "x"));
        ofOwnClass = Set.of("ab");
        assertThat(chain(List.of(), source("a-b")).pluginNames()).containsExactly("a-b");
        ofOwnClass = Set.of("other");
        assertThatThrownBy(() -> chain(List.of(), source("a-b"))).hasMessageContaining("url");
    }

    @Test
    void pluginsOfARefusedChain_areClosed() {
        AtomicInteger closed = new AtomicInteger();
        AuthPlugin plugin = new AuthPlugin() {
            @Override
            public String name() {
                return "a";
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
        refused(List.of(), "the first decides about every token", plugin, tokens("jwt"), tokens("partner"));
        assertThat(closed).hasValue(1);
        chain(List.of(), plugin);
        assertThat(closed).hasValue(1);
    }

    @Test
    void accountsOfTheService_keepTheirIds_whereverTheyStand() {
        AuthChain chain = chain(List.of(), source("a"), source("users"));
        assertThat(idOf(chain, "user-of-a")).isEqualTo("a:user-of-a");
        assertThat(idOf(chain, "user-of-users")).isEqualTo("user-of-users");
    }

    @Test
    void accountsOfTheService_outsideTheChain_shareNoIdWithAPlugin_unlessTheServiceSaysSo() {
        hasAccounts = true;
        assertThat(idOf(chain(List.of(), source("a")), "user-of-a")).isEqualTo("a:user-of-a");
        assertThat(idOf(chain(List.of("latchkey.shared-subjects=a"), source("a")), "user-of-a"))
                .isEqualTo("user-of-a");
    }

    @Test
    void sharedSubjects_keepTheirIdsToo() {
        AuthChain chain = chain(List.of("latchkey.shared-subjects=b"), source("a"), source("b"), source("c"));
        assertThat(idOf(chain, "user-of-b")).isEqualTo("user-of-b");
        assertThat(idOf(chain, "user-of-c")).isEqualTo("c:user-of-c");
    }

    @Test
    void sharedSubjects_ofNoSource_stopTheStart_andThoseOfProvidersAndIssuersDoNot() {
        refused(List.of("latchkey.shared-subjects=x"), "names [x], and the plugins are [a]", source("a"));
        assertThat(chain(List.of("latchkey.shared-subjects=oauth2:google,saml2:idp"), source("a"))
                        .pluginNames())
                .containsExactly("a");
        assertThat(chain(List.of("latchkey.shared-subjects=partner"), new Issuers(Set.of("partner")), source("a"))
                        .pluginNames())
                .containsExactly("issuers", "a");
    }

    @Test
    void pluginWithTheNameOfAnIssuer_orOfAKindOfProviders_stopsTheStart() {
        refused(
                List.of(),
                "The plugins [partner] have the names of trusted issuers",
                new Issuers(Set.of("partner")),
                source("partner"));
        refused(List.of(), "'oauth2' is no name of a plugin or an issuer", source("oauth2"));
    }

    @Test
    void issuers_comeBeforeThePluginOfTokens() {
        Issuers issuers = new Issuers(Set.of("partner"));
        String message = "does not name issuers before the plugin of Latchkey's own tokens";
        refused(List.of("latchkey.plugins=jwt,issuers"), message, issuers, tokens("jwt"));
        refused(List.of("latchkey.plugins=jwt"), message, issuers, tokens("jwt"));
        assertThat(chain(List.of("latchkey.plugins=issuers,jwt"), issuers, tokens("jwt"))
                        .pluginNames())
                .containsExactly("issuers", "jwt");
        assertThat(chain(List.of("latchkey.plugins=issuers"), issuers).pluginNames())
                .containsExactly("issuers");
    }

    @Test
    void twoPluginsOfTokens_stopTheStart() {
        refused(List.of(), "and the first decides about every token", tokens("jwt"), tokens("partner"));
    }

    @Test
    void twoBeansOfOneName_andABeanWithoutAProperName_stopTheStart() {
        refused(
                List.of(),
                "Two AuthPlugin beans are named 'a': the bean '0-a' (" + Source.class.getName()
                        + ") and the bean '1-a'",
                source("a"),
                source("a"));
        refused(List.of(), "has no proper name", source("No Name"));
    }

    @Test
    void rolesOfThePlugins_areDecorated() {
        RoleDecorator refusing = new RoleDecorator() {
            @Override
            @SuppressWarnings("unchecked") // The only source has passwords.
            public <C extends Credentials> LoginSource<C> around(LoginSource<C> source) {
                return (LoginSource<C>) source("instead");
            }
        };
        AuthChain chain = chainWith(refusing, List.of(), source("a"));
        assertThat(idOf(chain, "user-of-instead")).isEqualTo("user-of-instead");
    }

    private static String idOf(AuthChain chain, String name) {
        Authenticated login = (Authenticated)
                chain.authenticate(new PasswordCredentials(name, Secret.of("x")), RequestContext.none());
        return login.subject().id();
    }

    private void refused(List<String> settings, String message, AuthPlugin... beans) {
        assertThatThrownBy(() -> chain(settings, beans))
                .isInstanceOf(LatchkeyConfigurationException.class)
                .hasMessageContaining(message);
    }

    private AuthChain chain(List<String> settings, AuthPlugin... beans) {
        return chainWith(new RoleDecorator() {}, settings, beans);
    }

    private AuthChain chainWith(RoleDecorator bounds, List<String> settings, AuthPlugin... beans) {
        Map<String, AuthPlugin> named = new LinkedHashMap<>();
        for (AuthPlugin bean : beans) {
            named.put(named.size() + "-" + bean.name(), bean);
        }
        return PluginSelection.from(
                LoginParts.propertiesOf(settings.toArray(String[]::new)),
                named,
                List.of(beans),
                new PluginSettings(given, key -> ""),
                () -> ofOwnClass,
                hasAccounts,
                bounds,
                PluginHost.ALONE);
    }

    private static AuthPlugin tokens(String name) {
        return JwtAuthPlugin.of(
                        JwtVerifier.with(HmacKey.generate(HmacAlgorithm.HS256)),
                        new InMemoryRevocationStore(Duration.ofHours(1)))
                .withName(name);
    }

    private static Source source(String name) {
        return new Source(name);
    }

    /** Knows a single account. */
    private record Source(String name) implements LoginSource<PasswordCredentials> {

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return credentials.username().equals("user-of-" + name)
                    ? Authenticated.as(Subject.of(credentials.username()))
                    : Decision.abstained();
        }
    }

    private record Issuers(Set<String> outsideSources) implements OutsideSubjects {

        @Override
        public String name() {
            return "issuers";
        }
    }

    private record Step(String name) implements LoginStep {

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.empty();
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            throw new AssertionError("No step was asked");
        }
    }
}
