package dev.latchkey.nacos.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class SettingsFailureAnalyzerTest {

    private final SettingsFailureAnalyzer analyzer = new SettingsFailureAnalyzer();

    @Test
    void mistakeInTheSettings_isDescribedByTheMessageThatNamesTheProperty() {
        Throwable inner = new IllegalArgumentException("Not an IP address: 'foo'");
        Throwable outer = new IllegalArgumentException("trusted.proxies: Not an IP address: 'foo'", inner);

        FailureAnalysis analysis = analyzer.analyze(new BeanCreationException(
                "other", "", new BeanCreationException(SettingsFailureAnalyzer.BEAN, "", outer)));

        assertThat(analysis).isNotNull();
        assertThat(analysis.getDescription()).isEqualTo("trusted.proxies: Not an IP address: 'foo'");
        assertThat(analysis.getAction()).contains("conf/application.properties");
    }

    @Test
    void keyThatTheDefaultPluginRefuses_isNamedByItsProperty() {
        FailureAnalysis analysis = analyzer.analyze(
                new BeanCreationException("tokenManager", "", new IllegalArgumentException("too short")));

        assertThat(analysis).isNotNull();
        assertThat(analysis.getDescription()).isEqualTo("nacos.core.auth.plugin.nacos.token.secret.key: too short");
        assertThat(analysis.getAction()).contains("openssl rand");
    }

    @Test
    void failureOfAnotherBean_isLeftToOthers() {
        assertThat(analyzer.analyze(new BeanCreationException("other", "", new IllegalArgumentException("else"))))
                .isNull();
    }

    @Test
    void settingsThatFailForAnotherReason_areLeftToOthers() {
        assertThat(analyzer.analyze(new BeanCreationException(
                        SettingsFailureAnalyzer.BEAN, "", new IllegalStateException("no environment"))))
                .isNull();
    }
}
