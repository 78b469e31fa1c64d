package dev.latchkey.auth.spring;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.type.classreading.ConcurrentReferenceCachingMetadataReaderFactory;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigUtils;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/**
 * Lets all contexts of a JVM share Spring's metadata of class files. Otherwise each context would read the same two hundred
 * files, a tenth of these tests' time.
 */
final class ClassFilesReadOnce implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final ClassLoader LOADER = ClassFilesReadOnce.class.getClassLoader();
    private static final MetadataReaderFactory READ = new ConcurrentReferenceCachingMetadataReaderFactory(LOADER);

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        // Another loader has other classes, and hides some.
        if (LOADER.equals(context.getClassLoader())) {
            ((BeanDefinitionRegistry) context.getBeanFactory())
                    .getBeanDefinition(AnnotationConfigUtils.CONFIGURATION_ANNOTATION_PROCESSOR_BEAN_NAME)
                    .getPropertyValues()
                    .add("metadataReaderFactory", READ);
        }
    }
}
