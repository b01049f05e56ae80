# The installed package: toroid::toroid, and toroid::inspect and toroid::cblas where their libraries are found.
include("${CMAKE_CURRENT_LIST_DIR}/toroidDependencies.cmake")
if(toroid_missing)
    set(toroid_FOUND FALSE)
    set(toroid_NOT_FOUND_MESSAGE "toroid: ${toroid_missing}")
    return()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/toroidTargets.cmake")

# Components name the optional targets: find_package(toroid COMPONENTS inspect).
foreach(toroid_component IN LISTS toroid_FIND_COMPONENTS)
    if(TARGET toroid::${toroid_component})
        set(toroid_${toroid_component}_FOUND TRUE)
    elseif(toroid_FIND_REQUIRED_${toroid_component})
        set(toroid_FOUND FALSE)
        set(toroid_NOT_FOUND_MESSAGE "toroid: the library behind component '${toroid_component}' was not found")
    endif()
endforeach()
