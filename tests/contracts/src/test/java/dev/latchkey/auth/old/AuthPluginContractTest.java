package dev.latchkey.auth;

import static dev.latchkey.auth.ContractRun.answering;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit can fail: for each of its rules there is a plugin that breaks it, and the kit finds that. */
class AuthPluginContractTest {

    private static final String NAMED_BY_ITS_FACTORY =
            "factory_makesAPluginOfTheNameThatItIsGiven_andAsksForAllOfItsSettings";

    static Stream<Arguments> brokenPlugins() {
        return Stream.concat(BrokenDecisions.all(), BrokenManners.all());
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("brokenPlugins")
    void brokenPlugin_failsTheRuleThatItBreaks(String rule, String defect, Supplier<AuthPlugin> plugin) {
        assertThat(ContractRun.failure(rule, new ContractRun.Fixture(plugin))).isPresent();
    }

    @Test
    void everyRule_hasAPluginThatBreaksIt() {
        Set<String> shownToFail = new TreeSet<>(
                Set.of("outage_isAnExceptionAndNeverARejection", "factory_isFoundByItsType", NAMED_BY_ITS_FACTORY));
        shownToFail.add("everyRule_isThatOfTheKit");
        Stream.of(brokenPlugins(), AuthPluginContractFindsTest.broken(), AuthPluginContractBackendTest.broken())
                .flatMap(all -> all)
                .forEach(arguments -> shownToFail.add((String) arguments.get()[0]));
        assertThat(ContractRun.rules().map(Method::getName)).containsExactlyInAnyOrderElementsOf(shownToFail);
    }

    @Test
    void goodPlugin_failsNoRule() {
        assertThat(ContractRun.failedRules(() -> new ContractRun.Fixture(TicketPlugin::new)))
                .isEmpty();
    }

    @Test
    void outageAnsweredAsRejection_failsTheKit() {
        assertThat(ContractRun.failedRules(() -> new ContractRun.Fixture(TicketPlugin::new) {
                    @Override
                    protected Optional<AuthPlugin> newPluginInOutage() {
                        return Optional.of(
                                answering((plugin, credentials) -> Rejected.because(RejectionReason.BAD_CREDENTIALS)));
                    }
                }))
                .containsExactly("outage_isAnExceptionAndNeverARejection");
    }

    @Test
    void secretInAnExceptionOfAnOutage_failsTheKit() {
        assertThat(ContractRun.failedRules(() -> new ContractRun.Fixture(TicketPlugin::new) {
                    @Override
                    protected Optional<AuthPlugin> newPluginInOutage() {
                        return Optional.of(answering((plugin, credentials) -> {
                            throw AuthUnavailableException.outage(
                                    "no answer", new IllegalStateException("SELECT " + TicketPlugin.VALID));
                        }));
                    }
                }))
                .containsExactly("secrets_areNeverPrinted");
    }

    @Test
    void factoryThatServiceLoaderDoesNotFind_failsTheKit() {
        assertThat(ContractRun.failedRules(() -> new FactoryFixture(Set.of())))
                .containsExactly("factory_isFoundByItsType");
    }

    @Test
    void factoryThatGivesEachPluginOneName_failsTheKit() {
        assertThat(ContractRun.failedRules(() -> new FactoryFixture(Set.of("url")) {
                    @Override
                    AuthPlugin made(String name) {
                        return new TicketPlugin();
                    }
                }))
                .contains(NAMED_BY_ITS_FACTORY);
    }

    @Test
    void factoryThatDoesNotAskForASetting_failsTheKit() {
        assertThat(ContractRun.failedRules(() -> new FactoryFixture(Set.of("url"))))
                .doesNotContain(NAMED_BY_ITS_FACTORY);
        assertThat(ContractRun.failedRules(() -> new FactoryFixture(Set.of("url", "ulr"))))
                .contains(NAMED_BY_ITS_FACTORY);
    }

    @Test
    void ruleThatAFixtureOverrides_failsTheKit() {
        assertThat(ContractRun.failedRules(() -> new ContractRun.Fixture(TicketPlugin::new) {
                    @Override
                    public void validUntil_isInTheFuture() {}
                }))
                .containsExactly("everyRule_isThatOfTheKit");
    }

    @Test
    void fixtureThatNamesNoSecret_failsTheKit() {
        assertThat(ContractRun.failedRules(() -> new ContractRun.Fixture(TicketPlugin::new) {
                    @Override
                    protected List<String> secretTexts() {
                        return List.of();
                    }
                }))
                .containsExactly("secrets_areNeverPrinted");
    }

    /** With a factory that no loader finds, which asks for {@code url}. */
    private static class FactoryFixture extends ContractRun.Fixture {

        private final Map<String, String> settings;

        FactoryFixture(Set<String> settings) {
            super(TicketPlugin::new);
            this.settings = settings.stream().collect(Collectors.toMap(key -> key, key -> "x"));
        }

        AuthPlugin made(String name) {
            return new TicketPlugin() {
                @Override
                public String name() {
                    return name;
                }
            };
        }

        @Override
        protected Optional<AuthPluginFactory> factory() {
            return Optional.of(new AuthPluginFactory() {
                @Override
                public String type() {
                    return "ticket";
                }

                @Override
                public AuthPlugin create(String name, PluginConfig config) {
                    config.text("url");
                    return made(name);
                }
            });
        }

        @Override
        protected Optional<PluginConfig> settings() {
            return Optional.of(settings)
                    .filter(any -> !any.isEmpty())
                    .map(any -> PluginConfig.of("latchkey.plugin.ticket.", any));
        }
    }
}
