package dev.latchkey.nacos.codes;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.factory.AuthPluginFactory;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import java.nio.file.Path;
import java.util.List;

/** Makes the second step from its one setting, the file of secrets. */
public final class CodesPluginFactory implements AuthPluginFactory {

    private static final PluginSetting<Path> FILE = PluginSetting.path(
                    "file", "the file with the secrets of the accounts")
            .required();

    /** Creates the factory; nothing is read before {@link #create}. */
    public CodesPluginFactory() {}

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public String type() {
        return "codes";
    }

    @Override
    public List<PluginSetting<?>> settings() {
        return List.of(FILE);
    }

    @Override
    public AuthPlugin create(PluginEnvironment environment) {
        SecretsFile file = SecretsFile.at(environment.get(FILE));
        try {
            SecretsFile.Secrets unused = file.secrets();
            return new CodesStep(environment.name(), file, environment.clock());
        } catch (SecretsFile.UnreadableException e) {
            throw environment.wrong(FILE, "a readable file: " + e.getMessage());
        }
    }
}
