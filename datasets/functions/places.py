"""The places of the public functions of each library: the modules, and the classes whose methods people look up.

The modules are those of each library's reference. A module that an installed version does not have is left out.
"""

PACKAGES = ("numpy", "pandas", "scipy", "sklearn")
TITLES = {"numpy": "NumPy", "pandas": "pandas", "scipy": "SciPy", "sklearn": "scikit-learn"}
DISTRIBUTIONS = {"numpy": "numpy", "pandas": "pandas", "scipy": "scipy", "sklearn": "scikit-learn"}  # as installed
SHORT = {"np": "numpy", "pd": "pandas", "sp": "scipy"}  # names under which examples import them

_MODULES = {
    "numpy": """
        . strings char ctypeslib dtypes exceptions fft lib lib.array_utils lib.format lib.mixins lib.npyio lib.scimath
        lib.stride_tricks linalg ma polynomial polynomial.chebyshev polynomial.hermite polynomial.hermite_e
        polynomial.laguerre polynomial.legendre polynomial.polynomial random rec testing typing
    """,
    "pandas": """
        . api.extensions api.indexers api.types api.typing errors io.formats.style plotting testing tseries.offsets
        tseries.frequencies
    """,
    "scipy": """
        cluster.hierarchy cluster.vq constants datasets differentiate fft fftpack integrate interpolate io io.arff
        io.matlab io.wavfile linalg linalg.interpolative ndimage odr optimize optimize.elementwise signal
        signal.windows sparse sparse.csgraph sparse.linalg spatial spatial.distance spatial.transform special stats
        stats.contingency stats.mstats stats.qmc stats.sampling
    """,
    "sklearn": """
        . base calibration cluster compose covariance cross_decomposition datasets decomposition discriminant_analysis
        dummy ensemble exceptions feature_extraction feature_extraction.image feature_extraction.text
        feature_selection frozen gaussian_process gaussian_process.kernels impute inspection isotonic
        kernel_approximation kernel_ridge linear_model manifold metrics metrics.cluster metrics.pairwise mixture
        model_selection multiclass multioutput naive_bayes neighbors neural_network pipeline preprocessing
        random_projection semi_supervised svm tree utils utils.class_weight utils.extmath
        utils.graph utils.metaestimators utils.multiclass utils.parallel utils.random utils.sparsefuncs
        utils.validation
    """,
}
MODULES = {
    package: tuple(package if name == "." else f"{package}.{name}" for name in names.split())
    for package, names in _MODULES.items()
}

LEFT_OUT = {"test"}  # runs a library's own tests

# classes, and accessors of classes, whose public methods and attributes are listed; the first to name one keeps it
MEMBERS_OF = (
    "numpy.polynomial.Polynomial",
    "numpy.random.Generator",
    "pandas.DataFrame",
    "pandas.Series",
    "pandas.Series.str",
    "pandas.Series.dt",
    "pandas.Series.cat",
    "pandas.Index",
    "pandas.MultiIndex",
    "pandas.DatetimeIndex",
    "pandas.IntervalIndex",
    "pandas.Categorical",
    "pandas.Timestamp",
    "pandas.Timedelta",
    "pandas.Period",
    "pandas.ExcelFile",
    "pandas.api.typing.DataFrameGroupBy",
    "pandas.api.typing.SeriesGroupBy",
    "pandas.api.typing.Rolling",
    "pandas.api.typing.Expanding",
    "pandas.api.typing.ExponentialMovingWindow",
    "pandas.api.typing.Resampler",
    "pandas.io.formats.style.Styler",
    "scipy.interpolate.BSpline",
    "scipy.interpolate.PPoly",
    "scipy.spatial.transform.Rotation",
)
