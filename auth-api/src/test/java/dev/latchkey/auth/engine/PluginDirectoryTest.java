package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginConfigException;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Selection by name. */
class PluginDirectoryTest {

    private final List<String> calls = new ArrayList<>();
    private final PluginDirectory directory = PluginDirectory.empty();

    @Test
    void selectedPlugins_standInTheOrderOfTheirNames() {
        directory.add(making("jwt")).add(making("ldap")).add(making("unused"));
        assertThat(directory
                        .select(List.of("ldap", "jwt"), PluginDirectoryTest::noSettings, PluginHost.ALONE)
                        .pluginNames())
                .containsExactly("ldap", "jwt");
    }

    @Test
    void noNameSelected_refusesEverything() {
        directory.add(making("jwt"));
        assertThat(directory
                        .select(List.of(), PluginDirectoryTest::noSettings, PluginHost.ALONE)
                        .authenticate(BearerToken.of("a.b.c")))
                .isEqualTo(Rejected.because(RejectionReason.NOT_RECOGNIZED));
    }

    @Test
    void missingProvider_isAnError_withTheKnownNames() {
        directory.add(making("ldap")).add(making("jwt"));
        assertThat(problemsOf("jwt", "kerberos"))
                .containsExactly("No plugin is named 'kerberos'; there are: jwt, ldap");
    }

    @Test
    void missingProvider_inAnEmptyDirectory_isAnErrorThatSaysSo() {
        assertThat(problemsOf("jwt")).containsExactly("No plugin is named 'jwt'; there is none at all");
    }

    @Test
    void missingProvider_closesThePluginsMadeBefore() {
        directory.add(making("ldap"));
        assertThat(problemsOf("ldap", "kerberos")).hasSize(1);
        assertThat(calls).containsExactly("ldap.close");
    }

    @Test
    void nameSelectedTwice_isAnError() {
        directory.add(making("jwt"));
        assertThat(problemsOf("jwt", "jwt")).containsExactly("Plugin 'jwt' is selected twice");
    }

    @Test
    void nameClaimedByTwo_isAnErrorThatNamesBoth() {
        directory.add(new OtherFactory()).add((AuthPlugin) ScriptedPlugin.named("other"));
        assertThat(problemsOf("other"))
                .containsExactly("Plugin name 'other' is claimed by " + OtherFactory.class.getName() + " and "
                        + ScriptedPlugin.class.getName() + "; remove all but one");
    }

    @Test
    void nameClaimedByTwo_doesNotMatterWhereItIsNotSelected() {
        directory.add(new OtherFactory()).add(new OtherFactory()).add(making("jwt"));
        assertThat(directory
                        .select(List.of("jwt"), PluginDirectoryTest::noSettings, PluginHost.ALONE)
                        .pluginNames())
                .containsExactly("jwt");
    }

    @Test
    void allMistakes_areSaidAtOnce() {
        directory.add(making("jwt")).add(new OtherFactory()).add(new OtherFactory());
        PluginSelectionException refused = refused("jwt", "jwt", "other", "none");
        assertThat(refused.mistakes()).hasSize(3);
        assertThat(refused.getMessage()).contains("twice", "claimed by", "No plugin");
    }

    @Test
    void pluginThatRefusesItsSettings_isNamedAndTheOthersAreClosed() {
        PluginConfigException cause = new PluginConfigException("Set latchkey.plugin.ldap.url: it is required");
        directory.add(making("jwt")).add(factory("ldap", environment -> {
            throw cause;
        }));
        PluginSelectionException refused = refused("jwt", "ldap");
        assertThat(refused.mistakes()).containsExactly("Plugin 'ldap': Set latchkey.plugin.ldap.url: it is required");
        assertThat(refused).hasSuppressedException(cause);
        assertThat(calls).containsExactly("jwt.close");
    }

    @Test
    void pluginThatFailsUnexpectedly_isNamedAndTheOthersAreClosed() {
        directory
                .add(making("jwt"))
                .add(factory("ldap", environment -> {
                    throw new NoClassDefFoundError("com/acme/LdapClient");
                }))
                .add(factory("null", environment -> null));
        assertThat(problemsOf("jwt", "ldap", "null"))
                .containsExactly(
                        "Plugin 'ldap' could not be made: java.lang.NoClassDefFoundError: com/acme/LdapClient",
                        "Plugin 'null' could not be made: java.lang.NullPointerException: its factory made nothing");
        assertThat(calls).containsExactly("jwt.close");
    }

    @Test
    void failedPlugin_isReportedWithItsRootCause_withoutSecretSettings() {
        directory.add(factory("ldap", environment -> {
            Exception root = new ConnectException("Connection refused");
            throw new IllegalStateException("cannot start", new IOException(root));
        }));
        assertThat(problemsOf("ldap"))
                .containsExactly("Plugin 'ldap' could not be made: java.lang.IllegalStateException: cannot start,"
                        + " caused by java.io.IOException, caused by java.net.ConnectException: Connection refused");
        PluginSetting<Secret> password = PluginSetting.secret("password", "of the service");
        PluginDirectory other = PluginDirectory.empty()
                .add(factory(
                        "ldap",
                        environment -> {
                            String text = environment.get(password).withText(CharSequence::toString);
                            throw new IllegalStateException("cannot start", new IOException("bad userinfo x:" + text));
                        },
                        password));
        PluginConfig settings = PluginConfig.of("latchkey.plugin.ldap.", Map.of("password", "hunter2-hunter2"));
        PluginSelectionException refused = catchThrowableOfType(
                PluginSelectionException.class,
                () -> other.select(List.of("ldap"), name -> settings, PluginHost.ALONE));
        assertThat(refused.mistakes())
                .containsExactly("Plugin 'ldap' could not be made: java.lang.IllegalStateException: cannot start,"
                        + " caused by java.io.IOException");
        assertThat(refused.getSuppressed())
                .singleElement(as(THROWABLE))
                .hasStackTraceContaining("cannot start")
                .hasStackTraceContaining("message left out")
                .extracting(PluginDirectoryTest::stackTrace, as(STRING))
                .doesNotContain("hunter2");
    }

    private static String stackTrace(Throwable failure) {
        StringWriter written = new StringWriter();
        failure.printStackTrace(new PrintWriter(written));
        return written.toString();
    }

    @Test
    void pluginOfAnotherNameThanItsFactory_isRefusedAndClosed() {
        directory
                .add(factory("jwt", environment -> ScriptedPlugin.named("ldap", calls)))
                .add(making("ldap"));
        assertThat(problemsOf("jwt", "ldap"))
                .containsExactly("The factory of 'jwt' made a plugin named 'ldap' where it was asked for 'jwt'");
        assertThat(calls).containsExactly("ldap.close", "ldap.close");
    }

    @Test
    void wrongSettingsOfAllPlugins_areSaidAtOnce_withoutTheValues() {
        PluginSetting<String> issuer = PluginSetting.text("issuer", "an issuer").required();
        PluginSetting<Long> bound = PluginSetting.number("bound", "a bound").within("1", "9");
        directory
                .add(factory("jwt", environment -> ScriptedPlugin.named("jwt", calls), issuer))
                .add(factory("ldap", environment -> ScriptedPlugin.named("ldap", calls), bound));
        PluginSelectionException refused = catchThrowableOfType(
                PluginSelectionException.class,
                () -> directory.select(
                        List.of("jwt", "ldap"),
                        name -> PluginConfig.of(
                                "latchkey.plugin." + name + ".",
                                Map.of(name.equals("jwt") ? "sceret" : "bound", "1815")),
                        PluginHost.ALONE));
        assertThat(refused.mistakes())
                .containsExactly(
                        "Plugin 'jwt': Set latchkey.plugin.jwt.issuer: it is required",
                        "Plugin 'jwt': There is no setting latchkey.plugin.jwt.sceret; the settings are issuer, type",
                        "Plugin 'ldap': latchkey.plugin.ldap.bound must be from 1 to 9");
        assertThat(calls).isEmpty();
    }

    @Test
    void mistakesBetweenSettings_areSaidAtOnce_beforeAnyPluginIsMade() {
        PluginSetting<String> user = PluginSetting.text("user", "a user");
        PluginSetting<String> mode = PluginSetting.text("mode", "a mode").withDefault("open");
        AuthPluginFactory factory = new CheckingFactory(List.of(user, mode), environment -> {
            var unused = environment.missing(user);
            unused = environment.wrong(mode, "closed where there is no user");
        });
        directory.add(factory).add(making("ldap"));
        PluginSelectionException refused = catchThrowableOfType(
                PluginSelectionException.class,
                () -> directory.select(
                        List.of("checking", "ldap"),
                        name -> PluginConfig.of("latchkey.plugin." + name + ".", Map.of()),
                        PluginHost.ALONE));
        assertThat(refused.mistakes())
                .containsExactly(
                        "Plugin 'checking': Set latchkey.plugin.checking.user: it is required",
                        "Plugin 'checking': latchkey.plugin.checking.mode must be closed where there is no user");
        assertThat(calls).containsExactly("ldap.close");
    }

    @Test
    void mistakeThatIsOnlyReportedDuringTheCreation_closesThePlugin() {
        PluginSetting<String> mode = PluginSetting.text("mode", "a mode").withDefault("open");
        directory.add(factory(
                "ldap",
                environment -> {
                    var unused = environment.wrong(mode, "closed");
                    return ScriptedPlugin.named("ldap", calls);
                },
                mode));
        assertThat(problemsOf("ldap")).containsExactly("Plugin 'ldap': mode must be closed");
        assertThat(calls).containsExactly("ldap.close");
    }

    @Test
    void settingsOfAPluginHandedIn_areRefused() {
        directory.add((AuthPlugin) ScriptedPlugin.named("bean"));
        PluginSelectionException refused = catchThrowableOfType(
                PluginSelectionException.class,
                () -> directory.select(
                        List.of("bean"),
                        name -> PluginConfig.of(
                                "latchkey.plugin.bean.", Map.of("timeout", "1s"), List.of(), key -> "a.yaml - 1:1"),
                        PluginHost.ALONE));
        assertThat(refused.mistakes())
                .containsExactly(
                        "Plugin 'bean': There is no setting latchkey.plugin.bean.timeout (set in a.yaml - 1:1);"
                                + " the settings are type. The plugin is an object of " + ScriptedPlugin.class.getName()
                                + ", made in code");
    }

    @Test
    void clockAndListenersOfTheHost_areTheChains() {
        List<AuthEvent> heard = new ArrayList<>();
        directory.add(factory("ldap", environment -> {
            environment.count("made");
            return ScriptedPlugin.named("ldap").answering(Rejected.because(RejectionReason.REVOKED));
        }));
        directory
                .select(
                        List.of("ldap"),
                        PluginDirectoryTest::noSettings,
                        new PluginHost(InstantSource.system(), List.of(heard::add)))
                .authenticate(BearerToken.of("a.b.c"));
        assertThat(heard)
                .satisfiesExactly(
                        event -> assertThat(event).isEqualTo(new AuthEvent.Counted("ldap", "made")),
                        event -> assertThat(event).isInstanceOf(AuthEvent.Decided.class));
    }

    @Test
    void outageThatAPluginReportsItself_isTheChains() {
        directory.add(factory("ldap", environment -> {
            environment.reportOutage();
            return ScriptedPlugin.named("ldap").answering(Rejected.because(RejectionReason.REVOKED));
        }));
        AuthChain chain = directory.select(List.of("ldap"), PluginDirectoryTest::noSettings, PluginHost.ALONE);
        assertThat(chain.pluginsDown()).containsExactly("ldap");
        Verdict unused = chain.authenticate(BearerToken.of("a.b.c"));
        assertThat(chain.pluginsDown()).isEmpty();
    }

    @Test
    void settingsThatCannotBeHad_areAProblemOfTheirPluginAndTheOthersAreClosed() {
        directory.add(making("jwt")).add(making("ldap"));
        PluginSelectionException refused = catchThrowableOfType(
                PluginSelectionException.class,
                () -> directory.select(
                        List.of("jwt", "ldap"),
                        name -> {
                            if (name.equals("ldap")) {
                                throw new IllegalStateException("no such section");
                            }
                            return PluginConfig.empty();
                        },
                        PluginHost.ALONE));
        assertThat(refused.mistakes()).singleElement().asString().contains("'ldap'", "no such section");
        assertThat(calls).containsExactly("jwt.close");
    }

    @Test
    void pluginsOfOneType_haveSeparateNamesAndSettings() {
        List<String> urls = new ArrayList<>();
        PluginSetting<String> url = PluginSetting.text("url", "an address").required();
        directory.add(factory(
                "directory",
                environment -> {
                    urls.add(environment.name() + " " + environment.get(url));
                    return ScriptedPlugin.named(environment.name(), calls);
                },
                url));
        AuthChain chain = directory.select(
                List.of("emea", "apac", "directory"),
                name -> PluginConfig.of(
                        "latchkey.plugin." + name + ".",
                        name.equals("directory")
                                ? Map.of("url", "own")
                                : Map.of("type", "directory", "url", "of-" + name)),
                PluginHost.ALONE);
        assertThat(chain.pluginNames()).containsExactly("emea", "apac", "directory");
        assertThat(urls).containsExactly("emea of-emea", "apac of-apac", "directory own");
    }

    @Test
    void typeThatCannotBe_isAnErrorThatNamesPluginAndType() {
        directory.add(making("ldap")).add((AuthPlugin) ScriptedPlugin.named("bean"));
        PluginSelectionException refused = catchThrowableOfType(
                PluginSelectionException.class,
                () -> directory.select(
                        List.of("emea", "apac", "Über Alles"),
                        name -> PluginConfig.of(
                                "x.",
                                Map.of("type", name.equals("emea") ? "ladp" : name.equals("apac") ? "bean" : "ldap")),
                        PluginHost.ALONE));
        assertThat(refused.mistakes())
                .satisfiesExactly(
                        mistake -> assertThat(mistake)
                                .isEqualTo("No plugin that 'emea' could be is of type 'ladp'; there are: bean, ldap"),
                        mistake -> assertThat(mistake)
                                .isEqualTo(
                                        "Plugin 'apac' cannot be of type 'bean': that is one plugin, which exists already"),
                        mistake -> assertThat(mistake).contains("Über Alles", "lower-case"));
    }

    @Test
    void pluginHandedIn_isSelectedAsItIs() {
        ScriptedPlugin plugin = ScriptedPlugin.named("bean").answering(Rejected.because(RejectionReason.REVOKED));
        directory.add((AuthPlugin) plugin);
        directory
                .select(List.of("bean"), PluginDirectoryTest::noSettings, PluginHost.ALONE)
                .authenticate(BearerToken.of("a.b.c"));
        assertThat(plugin.calls()).containsExactly("bean.authenticate");
    }

    @Test
    void pluginHandedIn_staysOpenWhereTheSelectionFails() {
        ScriptedPlugin plugin = ScriptedPlugin.named("bean");
        directory.add((AuthPlugin) plugin);
        assertThat(problemsOf("bean", "none")).hasSize(1);
        assertThat(plugin.calls()).isEmpty();
    }

    @Test
    void factoryWithoutProperName_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> directory.add(making("Jwt Plugin")));
    }

    private static PluginConfig noSettings(String name) {
        return PluginConfig.empty();
    }

    private List<String> problemsOf(String... names) {
        return refused(names).mistakes();
    }

    private PluginSelectionException refused(String... names) {
        return catchThrowableOfType(
                PluginSelectionException.class,
                () -> directory.select(List.of(names), PluginDirectoryTest::noSettings, PluginHost.ALONE));
    }

    private AuthPluginFactory making(String type) {
        return factory(type, environment -> ScriptedPlugin.named(environment.name(), calls));
    }

    private static AuthPluginFactory factory(
            String type, Function<PluginEnvironment, AuthPlugin> creation, PluginSetting<?>... settings) {
        return new AuthPluginFactory() {
            @Override
            public int spiVersion() {
                return SPI_VERSION;
            }

            @Override
            public String type() {
                return type;
            }

            @Override
            public List<PluginSetting<?>> settings() {
                return List.of(settings);
            }

            @Override
            public AuthPlugin create(PluginEnvironment environment) {
                return creation.apply(environment);
            }
        };
    }

    private record CheckingFactory(List<PluginSetting<?>> settings, Consumer<PluginEnvironment> checks)
            implements AuthPluginFactory {

        @Override
        public int spiVersion() {
            return SPI_VERSION;
        }

        @Override
        public String type() {
            return "checking";
        }

        @Override
        public void check(PluginEnvironment environment) {
            checks.accept(environment);
        }

        @Override
        public AuthPlugin create(PluginEnvironment environment) {
            throw new AssertionError("made in spite of mistakes");
        }
    }

    private static final class OtherFactory implements AuthPluginFactory {

        @Override
        public int spiVersion() {
            return SPI_VERSION;
        }

        @Override
        public String type() {
            return "other";
        }

        @Override
        public List<PluginSetting<?>> settings() {
            return List.of();
        }

        @Override
        public AuthPlugin create(PluginEnvironment environment) {
            return ScriptedPlugin.named("other");
        }
    }
}
