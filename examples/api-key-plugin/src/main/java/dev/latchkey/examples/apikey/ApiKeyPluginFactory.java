package dev.latchkey.examples.apikey;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Makes an {@link ApiKeyPlugin} from a file of keys. */
public final class ApiKeyPluginFactory implements AuthPluginFactory {

    static final String TYPE = "api-key";
    static final String DEFAULT_HEADER = "X-API-Key";

    /** A field name is a token: RFC 9110 sections 5.1 and 5.6.2. */
    private static final Pattern FIELD_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");

    private static final PluginSetting<Path> FILE =
            PluginSetting.path("file", "the file with the digests of the keys").required();

    private static final PluginSetting<String> HEADER = PluginSetting.text("header", "the field with the key")
            .must(name -> FIELD_NAME.matcher(name).matches(), "the name of a header field, such as " + DEFAULT_HEADER)
            .withDefault(DEFAULT_HEADER);

    /** For {@link java.util.ServiceLoader}. */
    public ApiKeyPluginFactory() {}

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public List<PluginSetting<?>> settings() {
        return List.of(FILE, HEADER);
    }

    @Override
    public AuthPlugin create(PluginEnvironment environment) {
        return new ApiKeyPlugin(environment.name(), ApiKeyFile.open(environment.get(FILE)), environment.get(HEADER));
    }
}
