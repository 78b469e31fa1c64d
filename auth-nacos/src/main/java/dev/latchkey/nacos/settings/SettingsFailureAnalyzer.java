package dev.latchkey.nacos.settings;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/**
 * Prints a mistake in the configuration as the server's last output. Otherwise a stack trace of some hundred lines
 * would hide the message.
 */
public final class SettingsFailureAnalyzer implements FailureAnalyzer {

    /** The bean with the settings. */
    public static final String BEAN = "latchkeyNacosSettings";

    /**
     * A bean of the default plugin, created before the settings are read. The error of this bean does not name the
     * property of the key.
     */
    private static final String TOKENS_OF_DEFAULT = "tokenManager";

    private static final String CORRECT = "Correct it, as a rule in conf/application.properties."
            + " To start without this plugin, write nacos.core.auth.system.type=nacos there.";

    private static final String OTHER_SERVER = "Take the release of this plugin for this server, and leave the"
            + " default auth plugin in the server. To start without this plugin, write nacos.core.auth.system.type=nacos"
            + " in conf/application.properties, or nacos.plugin.auth.type=nacos since Nacos 3.2.";

    private static final String WRITE_KEY = "Write there what `openssl rand -base64 48` prints.";

    /** For Spring Boot. */
    public SettingsFailureAnalyzer() {}

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof IncompatibleServerException) {
                return new FailureAnalysis(String.valueOf(each.getMessage()), OTHER_SERVER, each);
            }
            if (!(each instanceof BeanCreationException creation)) {
                continue;
            }
            if (BEAN.equals(creation.getBeanName())) {
                return mistake(creation, "", CORRECT);
            }
            if (TOKENS_OF_DEFAULT.equals(creation.getBeanName())) {
                return mistake(creation, SettingsReader.SECRET + ": ", WRITE_KEY);
            }
        }
        return null;
    }

    /** The first {@code IllegalArgumentException} has the most useful message; its causes concern details. */
    private static @Nullable FailureAnalysis mistake(BeanCreationException creation, String subject, String action) {
        for (Throwable each = creation.getCause(); each != null; each = each.getCause()) {
            if (each instanceof IllegalArgumentException) {
                return new FailureAnalysis(subject + each.getMessage(), action, each);
            }
        }
        return null;
    }
}
